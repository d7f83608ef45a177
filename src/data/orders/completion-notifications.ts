/**
 * Notifies the order requests that wait for an order, in whichever process, that it has ended. A notification names the order
 * by its nonce. PostgreSQL lets every role that can log in notify, and none of them could guess one before the order has ended.
 */
import type { OrderKey } from '../../domain/orders/order-flow';
import { rows, type Database } from '../database/database';

/** The channel of the nonces of orders that have ended, comma-separated. */
export const ORDER_ENDED = 'order_ended';

/** A notification holds 8,000 bytes. */
const MOST_AT_ONCE = 400;

/**
 * Returns what is called with an order that has ended, after that was committed. Ends that come while one is told
 * are told together. What cannot be told is not: whoever waits is answered by the order's workflow a little later.
 *
 * A statement of its own: part of the one that ends the order, every commit would queue for the lock of all notifications.
 */
export function endTeller(database: Database): (order: Pick<OrderKey, 'nonce'>) => void {
  let ended: string[] = [];
  let isTelling = false;
  const tell = async () => {
    isTelling = true;
    while (ended.length > 0) {
      const nonces = ended.slice(0, MOST_AT_ONCE).join(',');
      ended = ended.slice(MOST_AT_ONCE);
      const binds = { channel: ORDER_ENDED, nonces };
      await rows(database, 'SELECT pg_notify($channel, $nonces)', binds).catch(() => []);
    }
    isTelling = false;
  };
  return ({ nonce }) => {
    ended.push(nonce);
    if (!isTelling) void tell();
  };
}

/** The nonces in a notification. */
export function endedOrders(payload: string): string[] {
  return payload.split(',');
}
