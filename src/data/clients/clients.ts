/** API clients as the rest of the service sees them. */
import type { Scope } from '../../domain/clients/scopes';
import type { AccessRejection } from '../../domain/errors';
import type { CallerIds } from '../../domain/audit';
import type { Feature } from '../../domain/orders/families';
import type { SessionOwner } from '../../security/tokens';
import { firstRow, type Database } from '../database/database';
import { MAX_STALE_MS, type ChangeFeed } from '../database/change-feed';
import { VersionedCache } from '../database/versioned-cache';

export interface Client {
  id: number;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  contactEmail: string;
  features: Feature[];
  /** CIDRs, IPv4 and IPv6; empty allows every address. */
  allowedCidrs: string[];
  /** The maximum number of vouchers in one order. */
  bulkLimit: number;
  /** The maximum number of requests a minute by class, for the classes that differ from the defaults. */
  rateLimits: Readonly<Record<string, number>>;
  /** Whether it may convert money between its wallets. */
  conversions: boolean;
}

const columns = `
  id, name, status, contact_email AS "contactEmail", features, allowed_cidrs AS "allowedCidrs",
  bulk_limit AS "bulkLimit", rate_limits AS "rateLimits", conversions`;

const clientById = `SELECT ${columns} FROM clients WHERE id = $id`;

const clientOfCaller = `
  SELECT ${columns}, access_refusal(id, $apiKeyId, $memberId, $sessionId) AS "accessRejection",
         coalesce((SELECT scopes FROM api_keys WHERE id = $apiKeyId AND client_id = clients.id),
                  (SELECT scopes_of_role(role) FROM members WHERE id = $memberId AND client_id = clients.id), '{}') AS scopes,
         $memberId::integer IS NULL
           OR EXISTS (SELECT FROM members WHERE id = $memberId AND role IN ('admin', 'support')) AS "seesRecipients"
    FROM clients WHERE id = $clientId`;

/** The client; undefined if no client has the id. */
export function findClient(database: Database, id: number) {
  return firstRow<Client>(database, clientById, { id });
}

/** The client of a caller. */
export interface SessionClient extends Client {
  /** Why the caller may only read; null if it may write. */
  accessRejection: AccessRejection | null;
  /** The present scopes of the API key, or of the member's role. */
  scopes: Scope[];
  /** Whether responses name recipients. Keys always see them; of members, only some roles. */
  seesRecipients: boolean;
}

/** Reads the client of a caller without the cache; undefined if no client has the id. */
export function findSessionClient(database: Database, { clientId, apiKeyId, memberId, sessionId }: CallerIds) {
  const binds = { clientId, apiKeyId, memberId, sessionId };
  return firstRow<SessionClient>(database, clientOfCaller, binds);
}

const MAX_SESSIONS = 10_000;

/** The clients of sessions in the memory of the process. */
export class KnownClients {
  private readonly clients: VersionedCache<SessionClient>;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    this.clients = new VersionedCache(() => feed.version('clients'), {
      maxSize: MAX_SESSIONS,
      sizeOf: () => 1,
      maxAgeMs: MAX_STALE_MS,
    });
  }

  /**
   * The client of a session, synchronously if cached; undefined if no client has the id. A cached client, the scopes and the end of the
   * session are up to `MAX_STALE_MS` out of date if the notification of a change was lost.
   */
  find(owner: SessionOwner): SessionClient | Promise<SessionClient | undefined> {
    const { clientId, apiKeyId, sessionId } = owner;
    const key = `${clientId}:${apiKeyId}:${sessionId}`;
    return this.clients.get(key, () => findSessionClient(this.database, { ...owner, memberId: null }));
  }
}
