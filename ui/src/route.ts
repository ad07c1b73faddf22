/** Where the user is. */
export type Route =
  | { view: 'conversations'; conversation: string | null; unplaced: boolean }
  | { view: 'findings'; code: string | null; conversation: string | null }
  | { view: 'settings' };

/** The conversations list with nothing open. */
export const HOME: Route = { view: 'conversations', conversation: null, unplaced: false };

/** Writes a place as the fragment of the window's address. */
export function toFragment(route: Route): string {
  switch (route.view) {
    case 'conversations':
      if (route.conversation === null) return '#/conversations';
      return `#/conversations/${encodeURIComponent(route.conversation)}${route.unplaced ? '/unplaced' : ''}`;
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
  const [view, id, tail] = path.split('/');
  if (view === 'settings') return { view };
  if (view === 'findings') {
    const params = new URLSearchParams(query);
    return { view, code: params.get('code'), conversation: params.get('conversation') };
  }
  if (view === 'conversations' && id) {
    return { view, conversation: decode(id), unplaced: tail === 'unplaced' };
  }
  return HOME;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
