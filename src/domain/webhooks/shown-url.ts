/**
 * The URL of an endpoint for readers who do not change it: without the values of its query, in which clients put secrets. An endpoint's
 * URL never contains credentials. docs/operators/audit.md.
 */
export function shownUrl(url: string): string {
  const [address = '', query] = url.split(/[?#]/);
  if (query === undefined || !url.includes('?')) return address;
  return `${address}?${query.split('&').map(withoutValue).join('&')}`;
}

function withoutValue(part: string): string {
  const [name] = /^[^=]*=/.exec(part) ?? [''];
  return part === name ? part : `${name}…`;
}
