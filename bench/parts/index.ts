import type { Bench } from '../bench';
import type { PartName } from '../options';
import type { Line } from '../report';
import { measureBulk } from './bulk';
import { measureOrders } from './orders';
import { measureReads } from './reads';

/** How each part is measured. */
export const measures: Readonly<Record<PartName, (bench: Bench) => Promise<Line[]>>> = {
  orders: measureOrders,
  reads: measureReads,
  bulk: measureBulk,
};
