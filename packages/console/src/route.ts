/** The current page: the part of the URL after `#`. */
import { useEffect, useState } from 'preact/hooks';

export interface Route {
  /** `#/orders/vouchers/12` is ['orders', 'vouchers', '12']. */
  path: string[];
  query: URLSearchParams;
}

function current(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter((part) => part !== ''), query: new URLSearchParams(query) };
}

export function useRoute(): Route {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const look = () => setRoute(current());
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return route;
}

/** The values that are not empty, as the query of an address. */
export function queryText(query: Readonly<Record<string, string | number>>): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString();
}

/** Returns the link to a page. Leaves out empty query parameters. */
export function hrefOf(path: string, query: Readonly<Record<string, string | number>> = {}): string {
  const text = queryText(query);
  return text === '' ? `#/${path}` : `#/${path}?${text}`;
}

export function go(href: string): void {
  location.hash = href;
}
