/** A number with its noun: `1 answer`, `3 answers`, `1,284 answers`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`;
}

/** A number of bytes, which crosses as text: `812 bytes`, `12 kB`, `1.4 MB`. Units are decimal. */
export function size(bytes: string): string {
  const n = Number(bytes);
  if (!Number.isFinite(n)) return bytes;
  if (n < 1000) return `${n} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = n / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A digest or hash short enough for a line: `8f1c…41d2`. The whole of it belongs into the title. */
export function shortHash(hash: string): string {
  const colon = hash.indexOf(':') + 1;
  const hex = hash.slice(colon);
  return hex.length > 12 ? `${hash.slice(0, colon)}${hex.slice(0, 4)}…${hex.slice(-4)}` : hash;
}

/** The last part of a path of this machine, whichever way its slashes lean. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;
}
