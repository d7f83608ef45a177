import { heartbeat } from '@temporalio/activity';
import { storeStock } from '../src/data/catalogue/stock';
import { abandonExpiredIntakes } from '../src/data/orders/intakes';
import { foldOrderCounts } from '../src/data/orders/order-counts';
import { deleteExpiredSessions } from '../src/data/sessions';
import { foldEventCounts } from '../src/data/webhooks/events';
import { reconcileOrders } from '../src/ordering/reconcile';
import type { ActivityContext } from './context';

/** An order younger than this (milliseconds) may still be on its way to its workflow. */
const SETTLING_IN = 60_000;

/** No transaction that wrote events so long ago (milliseconds) is still open. */
const LONG_COMMITTED = 10 * 60_000;

/** What keeps the service tidy. Every step can be repeated and may run beside itself. */
export const housekeeping = ({ database, suppliers, temporal }: ActivityContext) => ({
  /** Fences off creates whose API died, adds counters together, forgets expired sessions. */
  async tidyUp(): Promise<{ abandoned: number; folded: number }> {
    const abandoned = await abandonExpiredIntakes(database);
    const folded = await foldOrderCounts(database);
    await deleteExpiredSessions(database);
    await foldEventCounts(database, new Date(Date.now() - LONG_COMMITTED));
    return { abandoned, folded };
  },

  /** Starts again what Temporal lost. Returns how many orders that were. */
  async reconcileOrders(): Promise<number> {
    return reconcileOrders({ database, temporal }, new Date(Date.now() - SETTLING_IN), () => heartbeat());
  },

  /** Takes over the stock that suppliers report. */
  async refreshStock(): Promise<void> {
    for (const supplier of suppliers.values()) {
      for await (const page of supplier.stock()) {
        await storeStock(database, supplier.name, page, new Date());
        heartbeat();
      }
    }
  },
});
