/** `clients overview`: everything about one client, each part as its own operation shows it. */
import { readRemains } from '../../../data/clients/close-client';
import { listAttention } from '../../../data/orders/operator-reads';
import { listMarginRules } from '../../../data/prices/stored-margin-rules';
import { word } from '../arguments';
import { clientNamed } from '../client-named';
import { client } from '../kinds';
import { everyRole, operation } from '../operation';
import { listBlacklist, listDiscountsOf } from '../prices/client-pricing';
import { plural, table } from '../text';
import { listEndpointsOf } from '../webhooks/endpoints';
import { showClient } from './accounts';
import { showKeys } from './keys';
import { listMembersOf } from './members';
import { listRateLimits } from './rate-limit';
import { listSessionsOfAccount } from './signed-in-clients';
import { showWallets } from './wallets';

const parts = {
  account: showClient,
  members: listMembersOf,
  keys: showKeys,
  sessions: listSessionsOfAccount,
  wallets: showWallets,
  rate_limits: listRateLimits,
  discounts: listDiscountsOf,
  blacklist: listBlacklist,
  endpoints: listEndpointsOf,
} as const;

export const clientOverview = operation({
  name: 'clients overview',
  button: 'Show everything',
  about:
    'One account with its settings, members, keys, sessions, wallets, limits, prices, endpoints and what waits for a person',
  roles: everyRole,
  effect: 'reads',
  arguments: { client: word(client, 'id, name or API key') },
  async run(context, { client: named }) {
    const { database } = context;
    const { id, name, clientGroup } = await clientNamed(database, named);
    const lists: Record<string, unknown> = {};
    for (const [part, one] of Object.entries(parts)) lists[part] = await one.run(context, { client: String(id) });
    const scopes = [name, `group ${clientGroup ?? ''}`, 'all'];
    const { open_orders: openOrders } = await readRemains(database, id);
    return {
      id,
      name,
      ...lists,
      margin_rules: (await listMarginRules(database))
        .filter(({ clients }) => scopes.includes(clients))
        .map(({ id: _id, ...rule }) => rule),
      open_orders: openOrders,
      attention: (await listAttention(database, { clientId: id })).length,
    };
  },
  text: ({ id, name, open_orders: open, attention, margin_rules: rules, ...lists }, { tableColumns }) => {
    const heading = `Client ${id}, ${name}: ${plural(open, 'open order')}, ${plural(attention, 'entry needs', 'entries need')} a person`;
    const tables = Object.entries({ ...lists, margin_rules: rules }).map(
      ([part, found]) => `${part}\n${table(found as readonly object[], tableColumns)}`,
    );
    return [heading, ...tables].join('\n\n');
  },
});
