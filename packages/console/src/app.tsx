/** The console: the session and the current page. */
import {
  mdiAccountMultipleOutline,
  mdiBookOpenVariant,
  mdiCartOutline,
  mdiChevronDown,
  mdiFlagCheckered,
  mdiFlaskOutline,
  mdiKeyOutline,
  mdiLogout,
  mdiPlusCircleOutline,
  mdiScriptTextOutline,
  mdiTagMultipleOutline,
  mdiTicketOutline,
  mdiViewDashboardOutline,
  mdiWebhook,
} from '@mdi/js';
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, send, whenSignedOut } from './api';
import { isOutage, messageOf } from '../../parts/src/rejection';
import { familyOf, familyViews } from './families';
import { words } from '../../parts/src/format';
import { LiveProvider, useLive, useRenewal, useStream } from './live';
import { RETRY_MS, useLoaded } from '../../parts/src/loading';
import { accountPage } from './pages/account';
import { FundingRequestPage, WalletFundingPage } from './pages/funding';
import { FirstStepsPage } from './pages/first-steps';
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
import { Frame, Page } from '../../parts/src/frame';
import type { PlaceGroup } from '../../parts/src/places';
import { Icon } from '../../parts/src/icon';
import { Popup } from '../../parts/src/popup';
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
      <Frame
        name="Console"
        icon={mdiTicketOutline}
        groups={placesOf(session, route, (scenarios.data?.length ?? 0) > 0)}
        bar={
          <>
            <span class={`connection ${live.isConnected ? 'on' : 'off'}`} role="status">
              {live.isConnected ? 'Live' : 'Connecting'}
            </span>
            <Who session={session} signedOut={() => renewed(null)} />
          </>
        }
      >
        <Page title={page.title} of="Console">
          {session.member === null && <MissingScopes names={session.missing_scopes} />}
          <Fragment key={page.title}>{page.content}</Fragment>
        </Page>
        <Announcer />
      </Frame>
    </LiveProvider>
  );
}

/** Says why parts of the console show an error. The pages that need `admin` are absent without it. */
function MissingScopes({ names }: { names: readonly string[] }) {
  const missing = names.filter((name) => name !== 'admin');
  return missing.length === 0 ? null : (
    <p class="notice" role="status">
      The API key of your session lacks the scopes {missing.join(', ')}. Sign in with another key to use what needs
      them.
    </p>
  );
}

interface WhoProps {
  session: Session;
  signedOut: () => void;
}

/** The account, who is signed in, and what one does about oneself. */
function Who({ session: { client_name: client, mode, member }, signedOut }: WhoProps) {
  const signOut = () => void send('/session', { method: 'DELETE' }).finally(signedOut);
  return (
    <Popup
      class="who"
      buttonClass="quiet"
      button={
        <>
          <span class="name">{client}</span>
          <span class="tag">{mode}</span>
          <Icon of={mdiChevronDown} />
        </>
      }
    >
      <p>
        <strong>{client}</strong>
      </p>
      {member && (
        <p class="quiet">
          {member.name}, {member.email}, {member.role}
        </p>
      )}
      <hr />
      {member && (
        <a href="/identity/">
          <Icon of={mdiKeyOutline} />
          Sessions and second factor
        </a>
      )}
      <a href="/docs">
        <Icon of={mdiBookOpenVariant} />
        API docs
      </a>
      <hr />
      <button type="button" onClick={signOut}>
        <Icon of={mdiLogout} />
        Sign out
      </button>
    </Popup>
  );
}

interface PlaceOfScopes {
  part: string;
  title: string;
  icon: string;
  /** The letter that opens the page after `g`. */
  key: string;
  /** A member sees the page if the role has one of these scopes. */
  scopes: readonly string[];
}

const orderScopes = familyViews.map(({ scope }) => scope);
const scenarioPlace: PlaceOfScopes = {
  part: 'scenarios',
  title: 'Scenarios',
  icon: mdiFlaskOutline,
  key: 's',
  scopes: orderScopes,
};
const groups: readonly { name?: string; places: readonly PlaceOfScopes[] }[] = [
  {
    places: [
      { part: '', title: 'Overview', icon: mdiViewDashboardOutline, key: 'h', scopes: ['read'] },
      { part: 'orders', title: 'Orders', icon: mdiCartOutline, key: 'o', scopes: ['read'] },
      { part: 'new', title: 'New order', icon: mdiPlusCircleOutline, key: 'n', scopes: orderScopes },
      { part: 'prices', title: 'Prices', icon: mdiTagMultipleOutline, key: 'p', scopes: ['read'] },
    ],
  },
  {
    name: 'Integration',
    places: [
      { part: 'webhooks', title: 'Webhooks', icon: mdiWebhook, key: 'w', scopes: ['webhooks'] },
      { part: 'requests', title: 'Requests', icon: mdiScriptTextOutline, key: 'r', scopes: ['read'] },
      scenarioPlace,
      { part: 'first-steps', title: 'First steps', icon: mdiFlagCheckered, key: 'f', scopes: ['webhooks'] },
    ],
  },
  {
    name: 'Set-up',
    places: [{ part: 'account', title: 'Account', icon: mdiAccountMultipleOutline, key: 'a', scopes: ['admin'] }],
  },
];

/** Whether the page is for the session. A key sees every page but those of admins, because it may be replaced by one with more scopes. */
function isFor({ member, missing_scopes: missing }: Session, { scopes }: PlaceOfScopes): boolean {
  const isPermitted = scopes.some((scope) => !missing.includes(scope));
  return isPermitted || (member === null && !scopes.includes('admin'));
}

/** The pages of the session in their groups, for the navigation. */
function placesOf(session: Session, route: Route, hasScenarios: boolean): readonly PlaceGroup[] {
  const here = route.path[0] ?? '';
  return groups.map(({ places, ...group }) => ({
    ...group,
    places: places
      .filter((place) => isFor(session, place) && (place !== scenarioPlace || hasScenarios))
      .map(({ part, title, icon, key }) => ({ title, icon, key, href: hrefOf(part), isCurrent: part === here })),
  }));
}

interface Shown {
  title: string;
  content: ComponentChildren;
}

/** The page at the address; the page that says so if there is none. */
function pageOf(route: Route, session: Session, scenarios: readonly Scenario[]): Shown {
  return knownPage(route, session, scenarios) ?? { title: 'Page not found', content: <UnknownPage /> };
}

function knownPage({ path, query }: Route, session: Session, scenarios: readonly Scenario[]): Shown | undefined {
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
        ? { title: 'Orders', content: <OrdersPage feature={featureNamed(second)} query={query} session={session} /> }
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
      return { title: 'Webhooks', content: <WebhooksPage eventId={second} query={query} session={session} /> };
    case 'account':
      if (third !== undefined) return undefined;
      return accountPage(second ?? 'members', session, query);
    case 'funding':
      return fundingPage(second, third, session, query);
    case 'first-steps':
      if (second !== undefined) return undefined;
      return { title: 'First steps', content: <FirstStepsPage session={session} /> };
    case 'scenarios':
      if (second !== undefined || session.mode !== 'sandbox') return undefined;
      return { title: 'Scenarios', content: <ScenariosPage scenarios={scenarios} session={session} /> };
    default:
      return undefined;
  }
}

function fundingPage(
  wallet: string | undefined,
  request: string | undefined,
  session: Session,
  query: URLSearchParams,
): Shown | undefined {
  const isId = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,14}$/.test(text);
  if (!isId(wallet) || (request !== undefined && !isId(request))) return undefined;
  const at = { walletId: Number(wallet), session };
  return request === undefined
    ? { title: 'Add funds', content: <WalletFundingPage {...at} query={query} /> }
    : { title: `Funding request ${request}`, content: <FundingRequestPage {...at} id={Number(request)} /> };
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
