/** A connection that listens for notifications of the database. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { pause } from '../../async/promises';
import { clientAt } from './connection-settings';

const RECONNECT_MS = 1_000;

export interface ListenerOptions {
  channels: readonly string[];
  /** The name of the database session in PostgreSQL. */
  applicationName: string;
  onNotification: (channel: string, payload: string) => void;
  /** Called when the connection is lost, and when it listens (again). Notifications in between are lost. */
  onInterruption: () => void;
  /** The effect of a lost connection until it returns, for the log. */
  effectOfLoss: string;
}

/**
 * Listens on a separate connection until `stopping` aborts. Reopens a lost connection. A notification can get lost without an error
 * (a network cut, a connection pooler), so nothing may depend on notifications alone.
 */
export class Listener {
  private connection: pg.Client | undefined;

  private constructor(
    private readonly url: string,
    private readonly log: Logger,
    private readonly stopping: AbortSignal,
    private readonly options: ListenerOptions,
  ) {
    stopping.addEventListener('abort', () => void this.connection?.end());
  }

  /** Throws if the database cannot be reached now. */
  static async open(url: string, log: Logger, stopping: AbortSignal, options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(url, log, stopping, options);
    await listener.connect();
    return listener;
  }

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  private async connect(): Promise<void> {
    const { channels, applicationName, onNotification, onInterruption } = this.options;
    const connection = clientAt(this.url, applicationName, { connectionTimeoutMillis: 5_000, keepAlive: true });
    connection.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload));
    connection.on('error', () => this.reconnect(connection));
    connection.on('end', () => this.reconnect(connection));
    try {
      await connection.connect();
      await connection.query(channels.map((channel) => `LISTEN ${channel}`).join('; '));
    } catch (error) {
      // A standby accepts connections but rejects LISTEN, so each attempt would otherwise leave an open connection there.
      connection.end().catch(() => undefined);
      throw error;
    }
    if (this.stopping.aborted) return void connection.end();
    this.connection = connection;
    onInterruption();
  }

  private reconnect(lost: pg.Client): void {
    if (this.connection !== lost) return;
    this.connection = undefined;
    this.options.onInterruption();
    if (this.stopping.aborted) return;
    this.log.warn(`the connection for notifications is lost: ${this.options.effectOfLoss}`);
    void this.retry();
  }

  private async retry(): Promise<void> {
    while (await pause(RECONNECT_MS, this.stopping)) {
      try {
        return await this.connect();
      } catch {
        // Retried until the database is back.
      }
    }
  }
}
