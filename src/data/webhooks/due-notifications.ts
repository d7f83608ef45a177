/** Notifies the outbox pollers of all processes that an idle endpoint may have due deliveries. */
import type { Logger } from 'pino';
import { Listener } from '../database/listener';
import { rows, type Database, type Transaction } from '../database/database';

/** The channel, without payloads. The function `fan_out_event` notifies it, too. */
const EVENTS_DUE = 'events_due';

/** Notifies when `transaction` commits, or at once without one. If the notification is lost, polling finds the deliveries. */
export async function notifyEventsDue(database: Database, transaction?: Transaction): Promise<void> {
  await rows(database, 'SELECT pg_notify($channel, $none)', { channel: EVENTS_DUE, none: '' }, transaction);
}

/** Calls `onDue` for each notification, and whenever the connection is lost or returns. */
export function listenForDueEvents(
  url: string,
  log: Logger,
  stopping: AbortSignal,
  onDue: () => void,
): Promise<Listener> {
  return Listener.open(url, log, stopping, {
    channels: [EVENTS_DUE],
    applicationName: 'digital-goods-events',
    onNotification: onDue,
    onInterruption: onDue,
    effectOfLoss: 'due events are found by polling until it returns',
  });
}
