/** A citation in an answer of a conversation. */
export interface Spot {
  /** Place of the answer in the transcript, from 0. */
  place: number;
  /** `index` of the source's card. */
  citation: number;
}

/** Where the user is. */
export type Route =
  | { view: 'conversations'; conversation: string | null; unplaced: boolean; at?: Spot | null }
  | { view: 'findings'; code: string | null; conversation: string | null }
  | { view: 'settings' };

/** The conversations list with nothing open. */
export const HOME: Route = { view: 'conversations', conversation: null, unplaced: false };

/** Writes a place as the fragment of the window's address. */
export function toFragment(route: Route): string {
  switch (route.view) {
    case 'conversations':
      if (route.conversation === null) return '#/conversations';
      return `#/conversations/${encodeURIComponent(route.conversation)}${tailOf(route.unplaced, route.at)}`;
    case 'findings': {
      const query = new URLSearchParams();
      if (route.code !== null) query.set('code', route.code);
      if (route.conversation !== null) query.set('conversation', route.conversation);
      return query.size > 0 ? `#/findings?${query}` : '#/findings';
    }
    case 'settings':
      return '#/settings';
  }
}

/** Reads a fragment; whatever it cannot read leads home. */
export function fromFragment(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?');
  const [view, id, tail, place, citation] = path.split('/');
  if (view === 'settings') return { view };
  if (view === 'findings') {
    const params = new URLSearchParams(query);
    return { view, code: params.get('code'), conversation: params.get('conversation') };
  }
  if (view === 'conversations' && id) {
    const at = tail === 'at' ? { place: Number(place), citation: Number(citation) } : null;
    const known = at !== null && Number.isSafeInteger(at.place) && Number.isSafeInteger(at.citation);
    return { view, conversation: decode(id), unplaced: tail === 'unplaced', ...(known ? { at } : {}) };
  }
  return HOME;
}

function tailOf(unplaced: boolean, at: Spot | null | undefined): string {
  if (unplaced) return '/unplaced';
  return at ? `/at/${at.place}/${at.citation}` : '';
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
