/** How a stack gets many of something. */
import type { Receiver } from '../receiver';
import type { DimensionName } from './dimensions';
import * as clients from './fills/clients';
import * as orders from './fills/orders';
import { addProducts } from './fills/products';
import type { Side } from './side';

interface Fill {
  /** Adds this many to the stack. */
  add: (side: Side, count: number, receiver: Receiver) => Promise<unknown>;
  /** A page of the greatest size, which must not block the API. */
  greatestPage?: string;
  /** Settings of both stacks. */
  settings?: NodeJS.ProcessEnv;
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
  events: { add: (side, count, { url }) => clients.addEvents(side, count, url) },
};
