import { LRUCache } from 'lru-cache';
import type { Database } from '../../data/database/database';
import { findSession, type LiveSession } from '../../data/clients/token-sessions';

/** Beyond it, the token that was not used for the longest time is dropped. Its next use costs a statement again. */
const MAX_ENDED = 10_000;

/** The sessions of signed refresh and console tokens. */
export class SessionTokens {
  /** A token that has ended never becomes valid again. */
  private readonly ended = new LRUCache<string, true>({ max: MAX_ENDED });

  constructor(private readonly database: Database) {}

  /** `findSession`, without a statement for a token that this process has seen as ended. */
  async find(tokenId: string): Promise<LiveSession | undefined> {
    if (this.ended.get(tokenId)) return undefined;
    const session = await findSession(this.database, tokenId);
    if (!session) this.ended.set(tokenId, true);
    return session;
  }
}
