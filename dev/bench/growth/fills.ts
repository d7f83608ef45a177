/** How a stack gets many of something. */
import type { Settings } from '../bench';
import type { Receiver } from '../receiver';
import type { DimensionName } from './dimensions';
import * as clients from './fills/clients';
import * as orders from './fills/orders';
import { addEverything } from './fills/everything';
import { addProducts } from './fills/products';
import { countsStatements, measureCosts } from './costs';
import { measureMigrations } from './migrating';
import { measureWeek } from './week';
import type { Pair } from './measures';
import type { Side } from './side';
import type { Line } from '../report';

interface Fill {
  /** Adds this many to the stack. */
  add: (side: Side, count: number, receiver: Receiver) => Promise<unknown>;
  /** A page of the greatest size, which must not block the API. */
  greatestPage?: string;
  /** Settings of both stacks. */
  settings?: NodeJS.ProcessEnv;
  /** Measures the stacks in place of all that the other dimensions measure. */
  measure?: (pair: Pair, settings: Pick<Settings, 'rounds' | 'release' | 'say'>) => Promise<Line[]>;
}

export const fills: Readonly<Record<DimensionName, Fill>> = {
  orders: { add: orders.addOrders, greatestPage: 'orders?per_page=10000' },
  clients: { add: clients.addClients },
  products: { add: addProducts },
  endpoints: { add: clients.addEndpoints },
  esims: { add: orders.addEsims },
  // The supplier delivers after 28 hours instead of 5 seconds.
  'open-orders': { add: orders.addOpenOrders, settings: { SIMULATOR_TIME_SCALE: '20000' } },
  entries: { add: orders.addEntries, greatestPage: 'transactions?per_page=10000' },
  everything: {
    add: async (side, count, { url }) => {
      for (const statement of countsStatements) await side.database.query(statement);
      await addEverything(side, count, url);
    },
    measure: async (pair, { release, ...settings }) =>
      release === undefined
        ? [...(await measureCosts(pair, settings)), ...(await measureWeek(pair.large))]
        : measureMigrations(pair.large, release, settings.say),
    // Events of the whole past stay.
    settings: { EVENT_RETENTION_DAYS: '3650' },
  },
  events: { add: (side, count, { url }) => clients.addEvents(side, count, url) },
};
