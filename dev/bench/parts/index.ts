import type { Bench } from '../bench';
import type { StackPart } from '../options';
import type { Line } from '../report';
import { measureBulk } from './bulk';
import { measureCost } from './cost';
import { measureEvents } from './events';
import { measureLargeRead } from './large-read';
import { measureOrders } from './orders';
import { measureReads } from './reads';
import { measureRest } from './rest';

/** The measurement of each part that uses the stack. */
export const measures: Readonly<Record<StackPart, (bench: Bench) => Promise<Line[]>>> = {
  orders: measureOrders,
  reads: measureReads,
  'large-read': measureLargeRead,
  events: measureEvents,
  bulk: measureBulk,
  rest: measureRest,
  cost: measureCost,
};
