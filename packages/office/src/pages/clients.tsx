/** Clients, and all that one client has. */
import { useState } from 'preact/hooks';
import { Facts, Progress } from '../../../parts/src/basics';
import { usePageName } from '../../../parts/src/frame';
import type { Values } from '../call';
import { factsOf, textOf, type Row } from '../parts/cells';
import { Do } from '../parts/do';
import { AuditList } from '../parts/audit-list';
import { inState, List, type RowAction } from '../parts/list';
import { OrderList } from '../parts/order-list';
import { partsHref, Sum } from '../parts/parts-link';
import { useReading } from '../reading';
import { featureOf } from '../families';
import { hrefOf } from '../route';

export function ClientsPage() {
  return (
    <>
      <List
        title="Accounts"
        operation="clients list"
        filters={['search', 'status', 'sort']}
        href={({ id }) => hrefOf('clients', Number(id))}
        actions={['clients create']}
      />
      <List
        title="Wallets"
        operation="wallets list"
        filters={['client', 'currency', 'closed', 'low', 'sort']}
        href={entriesOf}
        columns={walletColumns}
        rowActions={ofWallet}
      />
      <List
        title="Webhook endpoints that fail"
        operation="webhooks failing"
        filters={['client', ...filtersOfEndpoint]}
        columns={['id', 'client', ...endpointColumns]}
        more={moreOfEndpoint}
        rowActions={ofEndpoint}
      />
      <List
        title="API keys"
        operation="keys list"
        filters={['client', ...filtersOfKey]}
        columns={['api_key', 'client', ...keyColumns]}
        more={moreOfKey}
        rowActions={ofKey}
      />
    </>
  );
}

interface Overview {
  id: number;
  name: string;
  account: Row[];
  open_orders: number;
  attention: number;
}

const walletColumns = [
  'id',
  'client',
  'currency_code',
  'balance',
  'credit_limit',
  'available',
  'is_default',
  'closed_at',
];
/** The entries of a wallet, of which its balance is the sum. */
const entriesOf = (row: Row) => partsHref({ operation: 'wallets list', rows: '', sum: 'balance', on: [row] });
const wallet = ({ id }: Row): Values => ({ wallet: Number(id) });
const isOpen = ({ closed_at: at }: Row) => at === null || at === undefined;
const ofWallet: readonly RowAction[] = [
  { operation: 'wallets fund', given: wallet, fits: isOpen },
  { operation: 'wallets adjust', given: wallet, fits: isOpen },
  { operation: 'wallets credit-limit', given: wallet, fits: isOpen },
  { operation: 'wallets statement', given: wallet },
  { operation: 'wallets make-default', given: wallet, fits: (row) => isOpen(row) && row['is_default'] === false },
  { operation: 'wallets close', given: wallet, fits: isOpen },
  { operation: 'wallets reopen', given: wallet, fits: (row) => !isOpen(row) },
];

const keyColumns = ['label', 'last_used_at', 'expires_at', 'revoked_at'];
const moreOfKey = ['scopes', 'created_at', 'id'];

/** A key that is revoked or has expired never comes back. */
const isLive = ({ revoked_at: revoked, expires_at: end }: Row) =>
  revoked === null && (end === null || Date.parse(textOf(end)) > Date.now());
const filtersOfKey = ['state', 'scope', 'search', 'sort'];
const ofKey: readonly RowAction[] = ['set', 'roll', 'revoke'].map((change) => ({
  operation: `keys ${change}`,
  given: ({ api_key: name }) => ({ api_key: String(name) }),
  fits: isLive,
}));

/** A disabled endpoint gets no events, so nothing can be done with them. */
const isEnabled = ({ enabled }: Row) => enabled === true;
const isPaused = (row: Row) => isEnabled(row) && row['paused'] === true;
const hasWaiting = (row: Row) => isEnabled(row) && Number(row['pending']) > 0;

const endpointColumns = ['url', 'enabled', 'paused', 'pending', 'last_error', 'failing_since'];
const filtersOfEndpoint = ['state', 'search', 'sort'];
const moreOfEndpoint = ['disabled_reason', 'circuit_open_until', 'oldest_event'];
const ofEndpoint = Object.entries({
  retry: (row) => hasWaiting(row) && !isPaused(row),
  pause: (row) => isEnabled(row) && !isPaused(row),
  resume: isPaused,
  replay: isEnabled,
  skip: hasWaiting,
  enable: (row) => !isEnabled(row),
  disable: isEnabled,
} satisfies Record<string, RowAction['fits']>).map(([change, fits]): RowAction => ({
  operation: `webhooks ${change}`,
  given: ({ id }) => ({ endpoint: Number(id) }),
  fits,
}));

const ofAccount = ['clients set', 'clients cap', 'clients suspend', 'clients resume', 'clients close'];

/** Whether the account can take the operation in its state. */
const fits =
  ({ status }: Row) =>
  (operation: string) =>
    operation !== (status === 'SUSPENDED' ? 'clients suspend' : 'clients resume');

export function ClientPage({ client }: { client: string }) {
  const [changes, setChanges] = useState(0);
  const overview = useReading<Overview>('clients overview', { client }, { version: changes });
  const { data } = overview;
  usePageName(data?.name);
  if (!data) return <Progress of={overview} />;
  const changed = () => setChanges((before) => before + 1);
  const account: Row = data.account[0] ?? {};
  const { id: _id, name: _name, rate_limits: _limits, ...facts } = account;
  const given = { client: String(data.id) };
  const sum = (name: 'open_orders' | 'attention') => (
    <Sum operation="clients overview" rows="" sum={name} on={[{ ...data }]}>
      {data[name]}
    </Sum>
  );
  const shared = { given, actionsGiven: given, version: changes, onChanged: changed };
  return (
    <>
      <section aria-label="Account">
        <div class="card">
          <Facts
            of={[
              ['ID', data.id],
              ...factsOf(facts),
              ['Open orders', sum('open_orders')],
              ['Needs a person', sum('attention')],
            ]}
          />
        </div>
        <div class="buttons">
          {ofAccount.filter(fits(account)).map((operation) => (
            <Do key={operation} operation={operation} given={given} done={changed} />
          ))}
        </div>
      </section>
      <Access {...shared} />
      <List
        title="Webhook endpoints"
        operation="webhooks list"
        filters={filtersOfEndpoint}
        columns={['id', ...endpointColumns]}
        more={moreOfEndpoint}
        rowActions={ofEndpoint}
        {...shared}
      />
      <Prices {...shared} />
      <OrderList title="Newest orders" given={given} />
      <AuditList title="Audit" given={given} filters={['operator', 'command', 'since', 'until']} />
    </>
  );
}

/** What the lists of one client share: a change in one of them may change the others. */
interface OfClient {
  given: Values;
  actionsGiven: Values;
  version: number;
  onChanged: () => void;
}

/** The money of the client, and who works for it: keys of programs, members of the console, and where both are signed in. */
function Access(shared: OfClient) {
  const { given } = shared;
  const member = ({ email }: Row): Values => ({ ...given, email: String(email) });
  return (
    <>
      <List
        title="Wallets"
        operation="wallets list"
        filters={['currency', 'closed', 'low', 'sort']}
        href={entriesOf}
        columns={['id', 'currency_code', 'balance', 'credit_limit', 'available', 'is_default', 'closed_at']}
        actions={['wallets open']}
        rowActions={ofWallet}
        {...shared}
      />
      <List
        title="API keys"
        operation="keys list"
        filters={filtersOfKey}
        columns={['api_key', ...keyColumns]}
        more={moreOfKey}
        actions={['keys create', 'keys revoke-all']}
        rowActions={ofKey}
        {...shared}
      />
      <List
        title="Members"
        operation="clients members"
        filters={['state', 'role', 'search']}
        actions={['clients invite-admin']}
        rowActions={[
          { operation: 'members reinvite', given: member, fits: inState('INVITED') },
          { operation: 'members suspend', given: member, fits: inState('ACTIVE') },
          { operation: 'members resume', given: member, fits: inState('SUSPENDED') },
          { operation: 'clients unlock-member', given: member, fits: inState('INVITED', 'ACTIVE') },
          { operation: 'members remove', given: member },
        ]}
        {...shared}
      />
      <List
        title="Sessions"
        operation="clients sessions"
        filters={['of']}
        actions={['clients end-sessions']}
        {...shared}
      />
    </>
  );
}

/** What the client may buy, how often it may call, and at which prices. */
function Prices(shared: OfClient) {
  const { given } = shared;
  const product = ({ family, product_id: id }: Row): Values => ({
    ...given,
    family: featureOf(String(family)),
    product: Number(id),
  });
  const nameOf = ({ family, product_id: id }: Row) => `${featureOf(String(family))}/${String(id)}`;
  return (
    <>
      <List
        title="Discounts"
        operation="discounts list"
        columns={['product_name', 'family', 'percent']}
        filters={['family', 'product']}
        nameOf={nameOf}
        actions={['discounts set']}
        rowActions={[{ operation: 'discounts clear', given: product }]}
        {...shared}
      />
      <List
        title="Hidden products"
        operation="blacklist list"
        columns={['product_name', 'family']}
        filters={['family', 'product']}
        nameOf={nameOf}
        actions={['blacklist add']}
        rowActions={[{ operation: 'blacklist remove', given: product }]}
        {...shared}
      />
      <List title="Rate limits" operation="clients rate-limits" {...shared} />
    </>
  );
}
