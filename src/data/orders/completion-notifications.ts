/**
 * Notifies waiting order requests, in every process, that their order has ended. A notification names the order by its
 * nonce: every role that can log in may NOTIFY, and none can guess a nonce before the order has ended.
 */
import type { OrderKey } from '../../domain/orders/order-flow';
import { rows, type Database } from '../database/database';

/** The channel. A payload has the nonces of ended orders, comma-separated. */
export const ORDER_ENDED = 'order_ended';

/** A notification has at most 8,000 bytes. */
const MAX_AT_ONCE = 400;

/**
 * Returns a function to call once the end of an order is committed. Ends during a running notification are sent
 * together. Lost notifications are not repeated: the workflow answers a waiting request a little later. NOTIFY is a
 * separate statement: inside the settling transaction, every commit would queue for the global notification lock.
 */
export function completionNotifier(database: Database): (order: Pick<OrderKey, 'nonce'>) => void {
  let ended: string[] = [];
  let isNotifying = false;
  const notify = async () => {
    isNotifying = true;
    while (ended.length > 0) {
      const nonces = ended.slice(0, MAX_AT_ONCE).join(',');
      ended = ended.slice(MAX_AT_ONCE);
      const binds = { channel: ORDER_ENDED, nonces };
      await rows(database, 'SELECT pg_notify($channel, $nonces)', binds).catch(() => []);
    }
    isNotifying = false;
  };
  return ({ nonce }) => {
    ended.push(nonce);
    if (!isNotifying) void notify();
  };
}

/** The nonces in a notification. */
export const endedOrders = (payload: string): string[] => payload.split(',');
