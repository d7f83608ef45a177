/**
 * Notifies waiting order requests, in every process, of their progress. A notification names the order by its nonce, because every
 * role that can log in may NOTIFY, but none can guess the nonce of a waiting request.
 * docs/decisions/0055-start-orders-plainly-and-notify-requests.md.
 */
import type { OrderKey } from '../../domain/orders/order-messages';
import { decidedProgress, type DecidedProgress } from '../../domain/orders/request-progress';
import { rows, type Database } from '../database/database';
import { withoutFlush } from '../database/connection-settings';

/** The channel. A payload has reports as `<nonce>:<progress>`, comma-separated. */
export const ORDER_PROGRESSED = 'order_progressed';

/** A notification has at most 8,000 bytes, and each report in it takes less than 45 bytes. */
const MAX_AT_ONCE = 170;

/** Milliseconds before a hand-over is notified. Most orders end sooner, and then only their end is notified. */
const HAND_OVER_DELAY_MS = 100;

/** Otherwise, PostgreSQL would flush its log before a listener hears of the progress. */
const notifyStatement = `SELECT pg_notify($channel, $reports), ${withoutFlush}`;

/** Notifies the progress to the request that waits for the order. */
export type NotifyProgress = (order: Pick<OrderKey, 'nonce'>, progress: DecidedProgress) => void;

/**
 * Returns a function to call once the progress is committed: with NOTIFY inside the transaction, every commit would queue for the
 * global notification lock. Reports during a running notification are sent together. A lost notification is not repeated, because
 * every waiting request also polls the database.
 */
export function progressNotifier(database: Database): NotifyProgress {
  let unsent: string[] = [];
  let isNotifying = false;
  const handOvers = new Map<string, NodeJS.Timeout>();
  const sendAll = async () => {
    isNotifying = true;
    while (unsent.length > 0) {
      const reports = unsent.slice(0, MAX_AT_ONCE).join(',');
      unsent = unsent.slice(MAX_AT_ONCE);
      const binds = { channel: ORDER_PROGRESSED, reports };
      await rows(database, notifyStatement, binds).catch(() => []);
    }
    isNotifying = false;
  };
  const send = (nonce: string, progress: DecidedProgress) => {
    handOvers.delete(nonce);
    unsent.push(`${nonce}:${progress}`);
    if (!isNotifying) void sendAll();
  };
  return ({ nonce }, progress) => {
    clearTimeout(handOvers.get(nonce));
    if (progress !== 'HANDED_OVER') send(nonce, progress);
    else handOvers.set(nonce, setTimeout(send, HAND_OVER_DELAY_MS, nonce, progress).unref());
  };
}

/** The progress of the order request with this nonce. */
export interface NotifiedProgress {
  nonce: string;
  progress: DecidedProgress;
}

/** The reports in a notification. Unknown words are left out. */
export function notifiedProgress(payload: string): NotifiedProgress[] {
  return payload.split(',').flatMap((text) => {
    const [nonce = '', word = ''] = text.split(':');
    const progress = decidedProgress(word);
    return progress ? [{ nonce, progress }] : [];
  });
}
