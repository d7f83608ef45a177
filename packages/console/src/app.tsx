/** The console: the session and the current page. */
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, send, whenSignedOut } from './api';
import { isOutage, messageOf } from '../../parts/src/rejection';
import { familyOf, familyViews } from './families';
import { words } from '../../parts/src/format';
import { LiveProvider, useLive, useRenewal, useStream } from './live';
import { RETRY_MS, useLoaded } from '../../parts/src/loading';
import { accountPage } from './pages/account';
import { NewOrderPage } from './pages/new-order';
import { OrderPage } from './pages/order';
import { OrdersPage } from './pages/orders';
import { OverviewPage } from './pages/overview';
import { PricesPage } from './pages/prices';
import { ProductPage } from './pages/product';
import { RequestsPage } from './pages/requests';
import { ScenariosPage } from './pages/scenarios';
import { SignInPage } from './pages/sign-in';
import { WebhooksPage } from './pages/webhooks';
import { Failure } from '../../parts/src/basics';
import { causeOf, endingOf } from './ending';
import { hrefOf, useRoute, type Route } from './route';
import type { Feature, Scenario, Session } from './types';

/** The message for a reader without a session. Other messages say what a member must do. */
const NOT_SIGNED_IN = 'Not signed in';

export function App() {
  const [session, setSession] = useState<Session | null>();
  const [failure, setFailure] = useState<string>();
  const [ending, setEnding] = useState<string>();
  const latest = useRef<Session | null | undefined>(undefined);
  latest.current = session;
  useEffect(() => {
    const open = () =>
      void send<Session>('/session').then(setSession, (error: unknown) => {
        if (isOutage(error)) {
          setFailure(messageOf(error));
          window.setTimeout(open, RETRY_MS);
        } else {
          const reason = messageOf(error);
          if (reason !== NOT_SIGNED_IN) setEnding(causeOf(reason) ?? reason);
          setSession(null);
        }
      });
    whenSignedOut((message) => {
      if (latest.current) setEnding(endingOf(latest.current, message));
      setSession(null);
    });
    open();
  }, []);
  if (session === undefined) return <Opening failure={failure} />;
  if (session === null) {
    const signedIn = (begun: Session) => {
      setEnding(undefined);
      setSession(begun);
    };
    return <SignInPage ending={ending} signedIn={signedIn} />;
  }
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
  const page = pageOf(route, session, scenarios.data ?? []);
  return (
    <LiveProvider value={live}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the page
      </a>
      <Top
        session={session}
        route={route}
        hasScenarios={(scenarios.data?.length ?? 0) > 0}
        isConnected={live.isConnected}
        signedOut={() => renewed(null)}
      />
      <Main title={page.title}>
        {session.member === null && <MissingScopes names={session.missing_scopes} />}
        <Fragment key={page.title}>{page.content}</Fragment>
      </Main>
      <Announcer />
    </LiveProvider>
  );
}

/** Says why parts of the console show an error. The pages that need `admin` are absent without it. */
function MissingScopes({ names }: { names: readonly string[] }) {
  const missing = names.filter((name) => name !== 'admin');
  return missing.length === 0 ? null : (
    <p class="notice" role="status">
      The API key of your session lacks the scopes {missing.join(', ')}. Sign in with another key to use what
      needs them.
    </p>
  );
}

interface TopProps {
  session: Session;
  route: Route;
  hasScenarios: boolean;
  isConnected: boolean;
  signedOut: () => void;
}

/** The header: one row, or a menu in a narrow window. */
function Top({ session, route, hasScenarios, isConnected, signedOut }: TopProps) {
  const [isOpen, setIsOpen] = useState(false);
  const page = route.path.join('/');
  useEffect(() => setIsOpen(false), [page]);
  const signOut = () => void send('/session', { method: 'DELETE' }).finally(signedOut);
  return (
    <header class={`top ${isOpen ? 'open' : ''}`}>
      <span class="brand">Console</span>
      <span class={`connection ${isConnected ? 'on' : 'off'}`} role="status">
        {isConnected ? 'Live' : 'Connecting'}
      </span>
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setIsOpen(!isOpen)}
      >
        Menu
      </button>
      <div id="menu">
        <Navigation route={route} hasScenarios={hasScenarios} session={session} />
        <div class="who">
          <a href="/docs">API docs</a>
          <span class="lines account">
            <span class="name" title={session.client_name}>
              {session.client_name}
            </span>
            {session.member && (
              <a
                class="name"
                href="/identity/"
                title={`${session.member.name}, ${session.member.email}, ${session.member.role}`}
              >
                {session.member.name}
              </a>
            )}
          </span>
          <span class="tag">{session.mode}</span>
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  );
}

/** Moves the focus without changing the URL, which holds the current page. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}

interface Place {
  part: string;
  name: string;
  /** A member sees the page if the role has one of these scopes. */
  scopes: readonly string[];
}

const orderScopes = familyViews.map(({ scope }) => scope);
const places: readonly Place[] = [
  { part: '', name: 'Overview', scopes: ['read'] },
  { part: 'orders', name: 'Orders', scopes: ['read'] },
  { part: 'new', name: 'New order', scopes: orderScopes },
  { part: 'prices', name: 'Prices', scopes: ['read'] },
  { part: 'webhooks', name: 'Webhooks', scopes: ['webhooks'] },
  { part: 'requests', name: 'Requests', scopes: ['read'] },
  { part: 'account', name: 'Account', scopes: ['admin'] },
];
const scenarioPlace: Place = { part: 'scenarios', name: 'Scenarios', scopes: orderScopes };

/** Whether the page is for the session. A key sees every page but those of admins, because it may be replaced by one with more scopes. */
function isFor({ member, missing_scopes: missing }: Session, { scopes }: Place): boolean {
  const isPermitted = scopes.some((scope) => !missing.includes(scope));
  return isPermitted || (member === null && !scopes.includes('admin'));
}

interface NavigationProps {
  route: Route;
  hasScenarios: boolean;
  session: Session;
}

function Navigation({ route, hasScenarios, session }: NavigationProps) {
  const all = hasScenarios ? [...places, scenarioPlace] : places;
  const shown = all.filter((place) => isFor(session, place));
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

interface Shown {
  title: string;
  content: ComponentChildren;
}

/** The page at the address; the page that says so if there is none. */
function pageOf(route: Route, session: Session, scenarios: readonly Scenario[]): Shown {
  return knownPage(route, session, scenarios) ?? { title: 'Page not found', content: <UnknownPage /> };
}

function knownPage(
  { path, query }: Route,
  session: Session,
  scenarios: readonly Scenario[],
): Shown | undefined {
  const [place = '', second, third, ...rest] = path;
  const isFamily = second === undefined || featureNamed(second) !== undefined;
  const isId = third !== undefined && /^[1-9]\d{0,14}$/.test(third);
  if (rest.length > 0) return undefined;
  switch (place) {
    case '':
      return { title: 'Overview', content: <OverviewPage session={session} query={query} /> };
    case 'orders':
      if (!isFamily || (third !== undefined && !isId)) return undefined;
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
      if (!isFamily || third !== undefined) return undefined;
      return {
        title: 'New order',
        content: <NewOrderPage family={familyOf(second, session)} session={session} query={query} />,
      };
    case 'products':
      if (!isFamily || !isId) return undefined;
      return {
        title: 'Product',
        content: <ProductPage family={familyOf(second, session)} id={Number(third)} session={session} />,
      };
    case 'prices':
      if (second !== undefined) return undefined;
      return { title: 'Prices', content: <PricesPage query={query} /> };
    case 'requests':
      if (second !== undefined) return undefined;
      return { title: 'API requests', content: <RequestsPage query={query} /> };
    case 'webhooks':
      if (third !== undefined) return undefined;
      return { title: 'Webhooks', content: <WebhooksPage eventId={second} query={query} /> };
    case 'account':
      if (third !== undefined) return undefined;
      return accountPage(second ?? 'members', session, query);
    case 'scenarios':
      if (second !== undefined || session.mode !== 'sandbox') return undefined;
      return { title: 'Scenarios', content: <ScenariosPage scenarios={scenarios} session={session} /> };
    default:
      return undefined;
  }
}

function UnknownPage() {
  return (
    <p>
      The console has no page at this address. <a href={hrefOf('')}>Go to the overview</a>
    </p>
  );
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
