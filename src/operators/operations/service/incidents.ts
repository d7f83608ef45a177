/** `attention incidents`, `suppliers hit`, `suppliers only`: who is hit by a supplier that does not deliver, and what can be done. */
import {
  countHits,
  listHitOrders,
  listIncidentEntries,
  listOnlyThere,
  hitOrderColumns,
} from '../../../data/attention/incident-reads';
import { clientSentence, incidentsOf, type Incident } from '../../../domain/attention/incidents';
import { offerOf } from '../actions';
import { flag, option, optionOr } from '../arguments';
import type { Context } from '../context';
import { count, family, id, nameText } from '../kinds';
import { everyRole, operation } from '../operation';
import { namedSupplier } from '../supplier-named';
import { timeOrAge } from '../time-kinds';
import { kindsOf } from '../../../domain/row-columns';

const incidents = operation({
  name: 'attention incidents',
  button: 'Show the incidents',
  about:
    'What keeps orders of a supplier waiting, once for all its entries: the orders, clients and sums that it hits, what to tell a client, and one retry for all',
  roles: everyRole,
  effect: 'reads',
  arguments: { supplier: option(nameText, 'only incidents at this supplier') },
  columns: {
    supplier: 'text',
    family: 'text',
    cause: 'text',
    since: 'time',
    orders: 'number',
    clients: 'number',
    worth: 'list',
    tell: 'text',
    entries: 'number',
    action: 'object',
    obstacle: 'text',
  },
  async run(context, { supplier }) {
    const found = incidentsOf(await listIncidentEntries(context.database, supplier));
    return Promise.all(found.map((incident) => rowOf(context, incident)));
  },
});

async function rowOf(context: Context, incident: Incident) {
  const { supplier, family: only, cause, since, entries } = incident;
  // An outage hits every open order of the supplier, also those that no entry names yet.
  const isLate = cause === 'LATE';
  const { orders, clients, worth } = await countHits(context.database, { supplier, family: only, isLate });
  return {
    supplier,
    family: only,
    cause,
    since,
    orders,
    clients,
    worth: worth.map(({ amount, currency }) => `${amount} ${currency}`),
    tell: clientSentence(incident),
    entries: entries.length,
    ...(await offerOf(context, `orders retry --supplier ${supplier}`)),
  };
}

const hit = operation({
  name: 'suppliers hit',
  button: 'Show who is hit',
  about: 'The orders that wait for a supplier, then those that failed there since a time, the newest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    name: namedSupplier,
    family: option(family, 'only this family: vouchers, topups or esim'),
    late: flag('of the waiting orders, only those whose purchase is overdue'),
    since: option(timeOrAge, 'also the orders that failed or were cancelled since this time'),
    after: option(id, 'only orders behind this one, for the next page'),
    limit: optionOr(count, '50', 'maximum number of orders'),
  },
  columns: kindsOf(hitOrderColumns),
  run: ({ database }, { name, late, ...part }) => listHitOrders(database, { supplier: name, isLate: late, ...part }),
});

const only = operation({
  name: 'suppliers only',
  button: 'Show what only it sells',
  about: 'The products that no other supplier can deliver, so that nothing of them is sold while this one fails',
  roles: everyRole,
  effect: 'reads',
  arguments: { name: namedSupplier, limit: optionOr(count, '100', 'maximum number of products') },
  columns: { family: 'text', product_id: 'number', product_name: 'text' },
  run: ({ database }, { name, limit }) => listOnlyThere(database, name, limit),
});

export const incidentOperations = [incidents, hit, only];
