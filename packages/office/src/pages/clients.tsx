/** Clients, and all that one client has. */
import { useState } from 'preact/hooks';
import { Facts, Progress } from '../../../parts/src/basics';
import type { Values } from '../call';
import { factsOf, textOf, type Row } from '../parts/cells';
import { Do } from '../parts/do';
import { AuditList } from '../parts/audit-list';
import { inState, List, Rows, type RowAction } from '../parts/list';
import { OrderList } from '../parts/order-list';
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
        columns={walletColumns}
        rowActions={ofWallet}
      />
      <List
        title="Webhook endpoints that fail"
        operation="webhooks failing"
        columns={['id', 'client', ...endpointColumns.slice(1)]}
        more={moreOfEndpoint}
        rowActions={ofEndpoint}
      />
    </>
  );
}

interface Overview {
  id: number;
  name: string;
  account: Row[];
  members: Row[];
  keys: Row[];
  sessions: Row[];
  wallets: Row[];
  rate_limits: Row[];
  discounts: Row[];
  blacklist: Row[];
  endpoints: Row[];
  open_orders: number;
  attention: number;
}

const walletColumns = [
  ...['id', 'client', 'currency_code', 'balance', 'low_balance_threshold', 'is_default', 'closed_at'],
];
const wallet = ({ id }: Row): Values => ({ wallet: Number(id) });
const isOpen = ({ closed_at: at }: Row) => at === null || at === undefined;
const ofWallet: readonly RowAction[] = [
  { operation: 'wallets fund', given: wallet, fits: isOpen },
  { operation: 'wallets adjust', given: wallet, fits: isOpen },
  { operation: 'wallets statement', given: wallet },
  {
    operation: 'wallets make-default',
    given: wallet,
    fits: (row) => isOpen(row) && row['is_default'] === false,
  },
  { operation: 'wallets close', given: wallet, fits: isOpen },
  { operation: 'wallets reopen', given: wallet, fits: (row) => !isOpen(row) },
];

const keyColumns = ['api_key', 'label', 'last_used_at', 'expires_at', 'revoked_at'];
const moreOfKey = ['scopes', 'created_at', 'id'];

/** A key that is revoked or has expired never comes back. */
const isLive = ({ revoked_at: revoked, expires_at: end }: Row) =>
  revoked === null && (end === null || Date.parse(textOf(end)) > Date.now());
const ofKey: readonly RowAction[] = ['set', 'roll', 'revoke'].map((change) => ({
  operation: `keys ${change}`,
  given: ({ api_key: name }) => ({ api_key: String(name) }),
  fits: isLive,
}));

/** A disabled endpoint gets no events, so nothing can be done with them. */
const isEnabled = ({ enabled }: Row) => enabled === true;
const isPaused = (row: Row) => isEnabled(row) && row['paused'] === true;
const hasWaiting = (row: Row) => isEnabled(row) && Number(row['pending']) > 0;

const endpointColumns = ['id', 'url', 'enabled', 'paused', 'pending', 'last_error', 'failing_since'];
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
  if (!data) return <Progress of={overview} />;
  const changed = () => setChanges((before) => before + 1);
  const account: Row = data.account[0] ?? {};
  const { id: _id, name: _name, rate_limits: _limits, ...facts } = account;
  const given = { client: String(data.id) };
  const product = ({ family, product_id: id }: Row): Values => ({
    ...given,
    family: featureOf(String(family)),
    product: Number(id),
  });
  return (
    <>
      <section aria-labelledby="account">
        <h2 id="account">{data.name}</h2>
        <div class="card">
          <Facts
            of={[
              ...factsOf(facts),
              ['Open orders', data.open_orders],
              ['Needs a person', <a href={hrefOf('attention')}>{data.attention}</a>],
            ]}
          />
        </div>
        <div class="buttons">
          {ofAccount.filter(fits(account)).map((operation) => (
            <Do key={operation} operation={operation} given={given} done={changed} />
          ))}
        </div>
      </section>
      <Part
        title="Wallets"
        rows={data.wallets}
        actions={ofWallet}
        own={['wallets open']}
        {...{ given, changed }}
      />
      <Part
        title="API keys"
        rows={data.keys}
        columns={keyColumns}
        more={moreOfKey}
        actions={ofKey}
        own={['keys create', 'keys revoke-all']}
        {...{ given, changed }}
      />
      <MembersAndSessions {...data} {...{ given, changed }} />
      <Part
        title="Webhook endpoints"
        rows={data.endpoints}
        columns={endpointColumns}
        more={moreOfEndpoint}
        actions={ofEndpoint}
        own={[]}
        {...{ given, changed }}
      />
      <Part
        title="Discounts"
        rows={data.discounts}
        actions={[{ operation: 'discounts clear', given: product }]}
        own={['discounts set']}
        {...{ given, changed }}
      />
      <Part
        title="Hidden products"
        rows={data.blacklist}
        actions={[{ operation: 'blacklist remove', given: product }]}
        own={['blacklist add']}
        {...{ given, changed }}
      />
      <Part title="Rate limits" rows={data.rate_limits} actions={[]} own={[]} {...{ given, changed }} />
      <OrderList title="Newest orders" given={given} />
      <AuditList title="Audit" given={given} filters={['operator', 'command', 'since', 'until']} />
    </>
  );
}

/** Who works for the client in the console, and where its members and keys are signed in. */
function MembersAndSessions({
  members,
  sessions,
  given,
  changed,
}: Pick<Overview, 'members' | 'sessions'> & Pick<PartProps, 'given' | 'changed'>) {
  const member = ({ email }: Row): Values => ({ ...given, email: String(email) });
  return (
    <>
      <Part
        title="Members"
        rows={members}
        actions={[
          { operation: 'members reinvite', given: member, fits: inState('INVITED') },
          { operation: 'members suspend', given: member, fits: inState('ACTIVE') },
          { operation: 'members resume', given: member, fits: inState('SUSPENDED') },
          { operation: 'members remove', given: member },
        ]}
        own={['clients invite-admin']}
        {...{ given, changed }}
      />
      <Part
        title="Sessions"
        rows={sessions}
        actions={[]}
        own={['clients end-sessions']}
        {...{ given, changed }}
      />
    </>
  );
}

interface PartProps {
  title: string;
  rows: readonly Row[];
  /** As those of a list. */
  columns?: readonly string[];
  more?: readonly string[];
  actions: readonly RowAction[];
  /** Operations above the rows. */
  own: readonly string[];
  given: Values;
  changed: () => void;
}

function Part({ title, rows, actions, own, given, changed, ...shown }: PartProps) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        <div class="buttons">
          {own.map((operation) => (
            <Do key={operation} operation={operation} given={given} done={changed} />
          ))}
        </div>
      </div>
      <Rows
        {...shown}
        title={title}
        rows={rows.map(({ client: _client, client_id: _id, ...own }) => own)}
        rowActions={actions}
        changed={changed}
      />
    </section>
  );
}
