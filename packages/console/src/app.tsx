/** The console: the session and the current page. */
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, isOutage, messageOf, send, whenSignedOut } from './api';
import { familyOf, familyViews } from './families';
import { words } from './format';
import { LiveProvider, useLive, useRenewal, useStream } from './live';
import { RETRY_MS, useLoaded } from './loading';
import { NewOrderPage } from './pages/new-order';
import { OrderPage } from './pages/order';
import { OrdersPage } from './pages/orders';
import { OverviewPage } from './pages/overview';
import { ProductPage } from './pages/product';
import { RequestsPage } from './pages/requests';
import { ScenariosPage } from './pages/scenarios';
import { SignInPage } from './pages/sign-in';
import { WebhooksPage } from './pages/webhooks';
import { Failure } from './parts/basics';
import { hrefOf, useRoute, type Route } from './route';
import type { Feature, Scenario, Session } from './types';

export function App() {
  const [session, setSession] = useState<Session | null>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const open = () =>
      void send<Session>('/session').then(setSession, (error: unknown) => {
        if (isOutage(error)) {
          setFailure(messageOf(error));
          window.setTimeout(open, RETRY_MS);
        } else setSession(null);
      });
    whenSignedOut(() => setSession(null));
    open();
  }, []);
  if (session === undefined) return <Opening failure={failure} />;
  if (session === null) return <SignInPage signedIn={setSession} />;
  return <Account key={session.client_id} session={session} renewed={setSession} />;
}

/** The page until the session is known. */
function Opening({ failure }: { failure: string | undefined }) {
  return failure === undefined ? null : (
    <main>
      <h1>Console</h1>
      <Failure text={failure} />
    </main>
  );
}

function Account({ session, renewed }: { session: Session; renewed: (session: Session | null) => void }) {
  const route = useRoute();
  const live = useStream();
  useRenewal(session, renewed);
  const isSandbox = session.mode === 'sandbox';
  const scenarios = useLoaded(
    async () => (isSandbox ? api<Scenario[]>('/sandbox/scenarios').catch(() => []) : []),
    session.mode,
  );
  const signOut = () => void send('/session', { method: 'DELETE' }).finally(() => renewed(null));
  const page = pageOf(route, session, scenarios.data ?? []);
  return (
    <LiveProvider value={live}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the page
      </a>
      <header class="top">
        <span class="brand">Console</span>
        <Navigation route={route} hasScenarios={(scenarios.data?.length ?? 0) > 0} />
        <div class="who">
          <span class={`connection ${live.isConnected ? 'on' : 'off'}`} role="status">
            {live.isConnected ? 'Live' : 'Connecting'}
          </span>
          <a href="/docs">API docs</a>
          <span>
            {session.client_name} <span class="tag">{session.mode}</span>
          </span>
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <Main title={page.title}>
        <Fragment key={page.title}>{page.content}</Fragment>
      </Main>
      <Announcer />
    </LiveProvider>
  );
}

/** Moves the focus without changing the URL, which holds the current page. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}

const places = [
  { part: '', name: 'Overview' },
  { part: 'orders', name: 'Orders' },
  { part: 'new', name: 'New order' },
  { part: 'webhooks', name: 'Webhooks' },
  { part: 'requests', name: 'Requests' },
];

function Navigation({ route, hasScenarios }: { route: Route; hasScenarios: boolean }) {
  const shown = hasScenarios ? [...places, { part: 'scenarios', name: 'Scenarios' }] : places;
  const here = route.path[0] ?? '';
  return (
    <nav aria-label="Pages">
      {shown.map(({ part, name }) => (
        <a key={part} href={hrefOf(part)} aria-current={here === part ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function pageOf({ path, query }: Route, session: Session, scenarios: readonly Scenario[]) {
  const [place, second, third] = path;
  switch (place ?? '') {
    case 'orders':
      return third === undefined
        ? {
            title: 'Orders',
            content: <OrdersPage feature={featureNamed(second)} query={query} session={session} />,
          }
        : {
            title: `Order ${third}`,
            content: <OrderPage family={familyOf(second, session)} id={Number(third)} session={session} />,
          };
    case 'new':
      return {
        title: 'New order',
        content: <NewOrderPage family={familyOf(second, session)} session={session} query={query} />,
      };
    case 'products':
      return {
        title: 'Product',
        content: <ProductPage family={familyOf(second, session)} id={Number(third)} />,
      };
    case 'requests':
      return { title: 'API requests', content: <RequestsPage query={query} /> };
    case 'webhooks':
      return { title: 'Webhooks', content: <WebhooksPage eventId={second} query={query} /> };
    case 'scenarios':
      return { title: 'Scenarios', content: <ScenariosPage scenarios={scenarios} session={session} /> };
    default:
      return { title: 'Overview', content: <OverviewPage session={session} /> };
  }
}

/** The family of that name; undefined for all families. */
function featureNamed(name: string | undefined): Feature | undefined {
  return familyViews.find(({ feature }) => feature === name)?.feature;
}

/** A page with its heading. The heading receives the focus when the page changes. */
function Main({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    document.title = `${title} · Console`;
    if (shown.current !== undefined) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <main id="main" tabIndex={-1}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}

/** Announces changes of orders to screen readers. */
function Announcer() {
  const { orders } = useLive();
  const latest = orders.at(-1);
  return (
    <p class="unseen" role="status">
      {latest ? `Order ${latest.id}, ${latest.product_name}: ${words(latest.status)}` : ''}
    </p>
  );
}
