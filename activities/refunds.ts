import { heartbeat } from '@temporalio/activity';
import { carryOutRefunds } from '../src/data/orders/refund-imports';
import type { RefundImportKey, RefundRun } from '../src/domain/orders/refund-imports';
import type { ActivityDependencies } from './dependencies';

export const refunding = ({ database }: Pick<ActivityDependencies, 'database'>) => ({
  /** Credits the next refunds of the import after the line. Repeated, it credits none twice. */
  carryOutRefunds: (key: RefundImportKey, after: number): Promise<RefundRun> =>
    carryOutRefunds(database, key, after, heartbeat),
});
