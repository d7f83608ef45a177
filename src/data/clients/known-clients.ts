/** The clients that call, kept until one changes. */
import type { ChangeFeed } from '../database/change-feed';
import { findClient, type Client } from './clients';
import type { Database } from '../database/database';
import { ReadCache } from '../database/response-cache';

const MOST_CLIENTS = 10_000;

export class KnownClients {
  private readonly clients: ReadCache<Client>;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    this.clients = new ReadCache(feed, 'clients', { maxSize: MOST_CLIENTS, sizeOf: () => 1 });
  }

  /**
   * The client, at once where it is known, at most seconds old where a change was not heard; undefined if there is none
   * with the id.
   */
  find(id: number): Client | Promise<Client | undefined> {
    return this.clients.get(String(id), () => findClient(this.database, id));
  }
}
