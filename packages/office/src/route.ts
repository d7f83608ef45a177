/** The current page: the path below `/office/`. */
import { useEffect, useState } from 'preact/hooks';

const BASE = '/office/';

export interface Route {
  /** `/office/orders/12` is ['orders', '12']. */
  path: string[];
  /** `?status=failed`: the filters of a list, which a person may pass on. */
  query: URLSearchParams;
  /** What the page keeps besides its address: what may name customers, and how far a list is read. */
  state: Readonly<Record<string, string>>;
}

function current(): Route {
  const path = location.pathname.slice(BASE.length).split('/');
  return {
    path: path.filter((part) => part !== '').map(decodeURIComponent),
    query: new URLSearchParams(location.search),
    state: (history.state ?? {}) as Route['state'],
  };
}

const changed = new EventTarget();

/** The current page. A link to another page changes it without loading the document again. */
export function useRoute(): Route {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const look = () => setRoute(current());
    changed.addEventListener('change', look);
    addEventListener('popstate', look);
    document.addEventListener('click', follow);
    return () => {
      changed.removeEventListener('change', look);
      removeEventListener('popstate', look);
      document.removeEventListener('click', follow);
    };
  }, []);
  return route;
}

/** The address of a page. */
export function hrefOf(...path: readonly (string | number)[]): string {
  return BASE + path.map((part) => encodeURIComponent(part)).join('/');
}

/** The address of a page with a query. */
export function hrefWith(query: Readonly<Record<string, string>>, ...path: readonly (string | number)[]): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? hrefOf(...path) : `${hrefOf(...path)}?${text}`;
}

export function go(href: string, state: Route['state'] = {}): void {
  history.pushState(state, '', href);
  scrollTo(0, 0);
  changed.dispatchEvent(new Event('change'));
}

/** Changes what the current page keeps, in its address and besides it. `isNew`: whether `Back` returns to what it kept. */
export function keep({ query, state }: Pick<Route, 'query' | 'state'>, isNew = true): void {
  const search = query.size === 0 ? '' : `?${query}`;
  const address = `${location.pathname}${search}`;
  if (isNew) history.pushState(state, '', address);
  else history.replaceState(state, '', address);
  changed.dispatchEvent(new Event('change'));
}

/** Where a person signs in, and returns from to the current page. */
export function gate(): string {
  return `/identity/gate?next=${encodeURIComponent(location.pathname + location.search)}`;
}

/** Shows a page of the back office that a plain click on a link names. The browser follows all other links. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target !== '' || link.hasAttribute('download')) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(BASE) || link.hash !== '') return;
  event.preventDefault();
  go(link.pathname + link.search);
}
