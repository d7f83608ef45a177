/** Notifies the outbox pollers of all processes that an idle endpoint may have due deliveries. */
import type { Logger } from 'pino';
import { Listener } from '../database/listener';
import { rows, type Database, type Transaction } from '../database/database';

/** The channel. The function `fan_out_event` notifies it, too. The payload is empty, or says that the notification is a test. */
const EVENTS_DUE = 'events_due';
const TEST = 'test';

const notifyStatement = 'SELECT pg_notify($channel, $payload)';

/** Notifies when `transaction` commits, or at once without one. If the notification is lost, polling finds the deliveries. */
export async function notifyEventsDue(database: Database, transaction?: Transaction): Promise<void> {
  await rows(database, notifyStatement, { channel: EVENTS_DUE, payload: '' }, transaction);
}

/** Notifies `onTest` of every process, to see whether notifications arrive. */
export async function notifyAsTest(database: Database): Promise<void> {
  await rows(database, notifyStatement, { channel: EVENTS_DUE, payload: TEST });
}

/** `onDue`: called for each notification, and whenever the connection is lost or returns. `onTest`: called for each test. */
export interface DueEventsHandlers {
  onDue: () => void;
  onTest: () => void;
}

/** Calls the handlers until `stopping` aborts. */
export function listenForDueEvents(
  url: string,
  log: Logger,
  stopping: AbortSignal,
  { onDue, onTest }: DueEventsHandlers,
): Promise<Listener> {
  return Listener.open(url, log, stopping, {
    channels: [EVENTS_DUE],
    applicationName: 'digital-goods-events',
    onNotification: (_channel, payload) => (payload === TEST ? onTest() : onDue()),
    onInterruption: onDue,
    effectOfLoss: 'due events are found by polling until it returns',
  });
}
