import type { Bench } from '../bench';
import type { StackPart } from '../options';
import type { Line } from '../report';
import { measureBulk } from './bulk';
import { measureCatalogue } from './catalogue';
import { measureCost } from './cost';
import { measureEsimPolls } from './esim-polls';
import { measureEvents } from './events';
import { measureHeap } from './heap';
import { measureHotWallet } from './hot-wallet';
import { measureLargeRead } from './large-read';
import { measureOrders } from './orders';
import { measurePriceList } from './price-list';
import { measureReads } from './reads';
import { measureRest } from './rest';
import { measureWaiting } from './waiting';

/** The measurement of each part that uses the stack. */
export const measures: Readonly<Record<StackPart, (bench: Bench) => Promise<Line[]>>> = {
  orders: measureOrders,
  reads: measureReads,
  'large-read': measureLargeRead,
  'price-list': measurePriceList,
  'hot-wallet': measureHotWallet,
  events: measureEvents,
  bulk: measureBulk,
  waiting: measureWaiting,
  catalogue: measureCatalogue,
  rest: measureRest,
  cost: measureCost,
  'esim-polls': measureEsimPolls,
  heap: measureHeap,
};
