/** Tells the creates that wait for an order, in whichever process, that it has ended. */
import { rows, type Database } from '../database';

/** What the ids of orders that have ended are told on, comma-separated. */
export const ORDER_ENDED = 'order_ended';

/** A notification holds 8,000 bytes. */
const MOST_AT_ONCE = 400;

/**
 * Returns what is called with the id of an order that has ended, after that was committed. Ends that come while one is told
 * are told together. What cannot be told is not: whoever waits is answered by the order's workflow a little later.
 *
 * A statement of its own: part of the one that ends the order, every commit would queue for the lock of all notifications.
 */
export function endTeller(database: Database): (orderId: number) => void {
  let ended: number[] = [];
  let isTelling = false;
  const tell = async () => {
    isTelling = true;
    while (ended.length > 0) {
      const ids = ended.slice(0, MOST_AT_ONCE).join(',');
      ended = ended.slice(MOST_AT_ONCE);
      await rows(database, 'SELECT pg_notify($channel, $ids)', { channel: ORDER_ENDED, ids }).catch(() => []);
    }
    isTelling = false;
  };
  return (orderId) => {
    ended.push(orderId);
    if (!isTelling) void tell();
  };
}

/** The ids in what was told. */
export function endedOrders(told: string): number[] {
  return told.split(',').map(Number);
}
