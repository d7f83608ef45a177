/** Every page with its address, and the operation without which a role does not get it. */
import {
  mdiAccountMultipleOutline,
  mdiBankTransferIn,
  mdiBellRingOutline,
  mdiCartOutline,
  mdiChartBar,
  mdiCheckCircleOutline,
  mdiConsole,
  mdiDomain,
  mdiFactory,
  mdiMessageAlertOutline,
  mdiNotebookOutline,
  mdiOctagonOutline,
  mdiScriptTextOutline,
  mdiTagMultipleOutline,
  mdiViewDashboardOutline,
  mdiWrenchOutline,
} from '@mdi/js';
import type { ComponentChildren } from 'preact';
import type { PlaceGroup } from '../../parts/src/places';
import type { Office } from './office';
import { ApprovalsPage, ProposalPage } from './pages/approvals';
import { AttentionPage } from './pages/attention';
import { AuditPage } from './pages/audit';
import { BooksPage, LinePage, MonthPage } from './pages/books';
import { CataloguePage, OfferPage, ProductPage } from './pages/catalogue';
import { ClaimPage, ClaimsPage } from './pages/claims';
import { ClientPage, ClientsPage } from './pages/clients';
import { MoneyInPage } from './pages/money-in';
import { OperationPage, OperationsPage } from './pages/operations';
import { OrderPage } from './pages/order';
import { OrdersPage } from './pages/orders';
import { PartsPage, SpendPage } from './pages/parts';
import { PeoplePage } from './pages/people';
import { ReportsPage } from './pages/reports';
import { SearchPage } from './pages/search';
import { ServicePage } from './pages/service';
import { StoppedPage } from './pages/stopped';
import { SupplierPage, SuppliersPage } from './pages/suppliers';
import { dayTitle, isDay, TodayPage } from './pages/today';
import { hrefOf, type Route } from './route';

interface Shown {
  title: string;
  content: ComponentChildren;
}

interface Place {
  /** The first part of the address; empty for the start page. */
  part: string;
  title: string;
  icon: string;
  /** The letter that opens the page after `g`. */
  key: string;
  /** The page is for roles with this operation. */
  needs?: string;
  content: () => ComponentChildren;
  /** The page below it with the rest of the address; undefined if there is none. */
  below?: (rest: readonly string[], office: Office) => Shown | undefined;
}

const isId = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,14}$/.test(text);

/** A page below with one further part. */
const one =
  (show: (part: string) => Shown | undefined): NonNullable<Place['below']> =>
  ([part, ...rest]) =>
    part === undefined || rest.length > 0 ? undefined : show(part);

const groups: readonly { name?: string; places: readonly Place[] }[] = [
  {
    places: [
      { part: '', title: 'Today', icon: mdiViewDashboardOutline, key: 't', content: () => <TodayPage /> },
      {
        part: 'attention',
        title: 'Attention',
        icon: mdiBellRingOutline,
        key: 'a',
        needs: 'attention',
        content: () => <AttentionPage />,
      },
      {
        part: 'approvals',
        title: 'Approvals',
        icon: mdiCheckCircleOutline,
        key: 'p',
        needs: 'approvals list',
        content: () => <ApprovalsPage />,
        below: one((id) =>
          isId(id) ? { title: `Proposal ${id}`, content: <ProposalPage id={Number(id)} /> } : undefined,
        ),
      },
    ],
  },
  {
    name: 'Selling',
    places: [
      {
        part: 'orders',
        title: 'Orders',
        icon: mdiCartOutline,
        key: 'o',
        needs: 'orders find',
        content: () => <OrdersPage />,
        below: one((id) => (isId(id) ? { title: `Order ${id}`, content: <OrderPage id={Number(id)} /> } : undefined)),
      },
      {
        part: 'claims',
        title: 'Claims',
        icon: mdiMessageAlertOutline,
        key: 'm',
        needs: 'claims list',
        content: () => <ClaimsPage />,
        below: one((id) => (isId(id) ? { title: `Claim ${id}`, content: <ClaimPage id={Number(id)} /> } : undefined)),
      },
      {
        part: 'clients',
        title: 'Clients',
        icon: mdiDomain,
        key: 'c',
        needs: 'clients list',
        content: () => <ClientsPage />,
        below: one((client) => ({ title: `Client ${client}`, content: <ClientPage client={client} /> })),
      },
      {
        part: 'money-in',
        title: 'Money in',
        icon: mdiBankTransferIn,
        key: 'i',
        needs: 'bank entries',
        content: () => <MoneyInPage />,
      },
    ],
  },
  {
    name: 'Buying',
    places: [
      {
        part: 'catalogue',
        title: 'Catalogue',
        icon: mdiTagMultipleOutline,
        key: 'k',
        needs: 'products list',
        content: () => <CataloguePage />,
        below: ([kind, family, id, ...rest]) => {
          if (rest.length > 0 || family === undefined) return undefined;
          if (kind === 'offers' && id === undefined && isId(family))
            return { title: `Offer ${family}`, content: <OfferPage offer={Number(family)} /> };
          if (kind !== 'products' || !isId(id)) return undefined;
          return { title: `Product ${id}`, content: <ProductPage family={family} id={Number(id)} /> };
        },
      },
      {
        part: 'stopped',
        title: 'What is stopped',
        icon: mdiOctagonOutline,
        key: 'w',
        needs: 'products stopped',
        content: () => <StoppedPage />,
      },
      {
        part: 'suppliers',
        title: 'Suppliers',
        icon: mdiFactory,
        key: 's',
        needs: 'suppliers list',
        content: () => <SuppliersPage />,
        below: one((name) => ({ title: name, content: <SupplierPage name={name} /> })),
      },
    ],
  },
  {
    name: 'Records',
    places: [
      {
        part: 'reports',
        title: 'Reports',
        icon: mdiChartBar,
        key: 'r',
        needs: 'reports margin',
        content: () => <ReportsPage />,
      },
      {
        part: 'books',
        title: 'Books',
        icon: mdiNotebookOutline,
        key: 'b',
        needs: 'books show',
        content: () => <BooksPage />,
        below: ([month = '', line, ...rest]) => {
          if (!/^\d{4}-\d\d$/.test(month) || rest.length > 0) return undefined;
          return line === undefined
            ? { title: `Books of ${month}`, content: <MonthPage month={month} /> }
            : { title: `Books of ${month}, line ${line}`, content: <LinePage month={month} line={line} /> };
        },
      },
      {
        part: 'audit',
        title: 'Audit',
        icon: mdiScriptTextOutline,
        key: 'u',
        needs: 'audit list',
        content: () => <AuditPage />,
      },
    ],
  },
  {
    name: 'Set-up',
    places: [
      {
        part: 'people',
        title: 'People',
        icon: mdiAccountMultipleOutline,
        key: 'e',
        needs: 'people list',
        content: () => <PeoplePage />,
      },
      {
        part: 'service',
        title: 'Service',
        icon: mdiWrenchOutline,
        key: 'v',
        needs: 'maintenance list',
        content: () => <ServicePage />,
      },
      {
        part: 'operations',
        title: 'Operations',
        icon: mdiConsole,
        key: 'x',
        content: () => <OperationsPage />,
        below: (words, { operations }) => {
          const name = words.join(' ');
          const operation = operations.get(name);
          return {
            title: operation ? `${operation.subject}: ${operation.button}` : 'Operations',
            content: <OperationPage name={name} />,
          };
        },
      },
    ],
  },
];

const places = groups.flatMap((group) => group.places);

/** The pages of the role in their groups, for the navigation. `here`: the first part of the address. */
export function placesOf({ operations }: Office, here: string): readonly PlaceGroup[] {
  return groups.map(({ places: all, ...group }) => ({
    ...group,
    places: all
      .filter(({ needs }) => needs === undefined || operations.has(needs))
      .map(({ part, title, icon, key }) => ({
        title,
        icon,
        key,
        href: hrefOf(...(part === '' ? [] : [part])),
        isCurrent: part === here,
      })),
  }));
}

/** The page at the address; the page that says so if the role has none there. */
export function pageOf({ path: [first = '', ...rest], query }: Route, office: Office): Shown {
  if (first === 'search' && rest.length === 0) return { title: 'Search', content: <SearchPage /> };
  if (first === 'parts' && rest.length === 0) return { title: 'What the sum is made of', content: <PartsPage /> };
  if (first === 'spend' && rest.length === 0) return { title: 'What suppliers charged', content: <SpendPage /> };
  const day = query.get('day');
  if (first === '' && isDay(day)) return { title: dayTitle(day), content: <TodayPage day={day} /> };
  const place = places.find(({ part }) => part === first);
  const shown =
    rest.length === 0 ? place && { title: place.title, content: place.content() } : place?.below?.(rest, office);
  if (!place || !shown) return { title: 'Page not found', content: <UnknownPage /> };
  if (place.needs !== undefined && !office.operations.has(place.needs))
    return { title: place.title, content: <p>Your role does not open this page.</p> };
  return shown;
}

function UnknownPage() {
  return (
    <p>
      There is no page at this address. <a href={hrefOf()}>Go to the start page</a>
    </p>
  );
}
