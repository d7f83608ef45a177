/** API clients as the rest of the service sees them. */
import type { AccessRefusal } from '../../domain/errors';
import type { Feature } from '../../domain/orders/families';
import type { SessionOwner } from '../../security/tokens';
import { firstRow, type Database, rows } from '../database/database';
import { MAX_UNHEARD_MS, type ChangeFeed } from '../database/change-feed';
import { VersionedCache } from '../database/versioned-cache';

export interface Client {
  id: number;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  contactEmail: string;
  features: Feature[];
  /** CIDRs, IPv4 and IPv6; empty allows every address. */
  allowedCidrs: string[];
  /** The most vouchers one order may hold. */
  bulkLimit: number;
  /** Requests a minute by class, where they differ from the defaults. */
  rateLimits: Readonly<Record<string, number>>;
}

const columns = `
  id, name, status, contact_email AS "contactEmail", features, allowed_cidrs AS "allowedCidrs",
  bulk_limit AS "bulkLimit", rate_limits AS "rateLimits"`;

const clientById = `SELECT ${columns} FROM clients WHERE id = $id`;

const writerById = `
  SELECT ${columns}, access_refusal(id, $apiKeyId, $sessionId) AS "accessRefusal" FROM clients WHERE id = $clientId`;

/** The client, or undefined if there is none with the id. */
export async function findClient(database: Database, id: number): Promise<Client | undefined> {
  return firstRow<Client>(database, clientById, { id });
}

/** A client as it stands for a call that may change something. */
export interface Writer extends Client {
  /** Why it may only read; null where it may write. */
  accessRefusal: AccessRefusal | null;
}

/** The client of a session, as it stands at this moment, or undefined if there is none. */
export async function findWriter(
  database: Database,
  { clientId, apiKeyId, sessionId }: SessionOwner,
): Promise<Writer | undefined> {
  const binds = { clientId, apiKeyId, sessionId };
  return firstRow<Writer>(database, writerById, binds);
}

const MAX_CLIENTS = 10_000;

export class KnownClients {
  private readonly clients: VersionedCache<Client>;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    this.clients = new VersionedCache(() => feed.version('clients'), {
      maxSize: MAX_CLIENTS,
      sizeOf: () => 1,
      maxAgeMs: MAX_UNHEARD_MS,
    });
  }

  /**
   * The client, at once where it is known, at most seconds old where a change was not heard; undefined if there is none
   * with the id.
   */
  find(id: number): Client | Promise<Client | undefined> {
    return this.clients.get(String(id), () => findClient(this.database, id));
  }
}

/** Their names, which no other client has. */
export const demoClientNames = {
  demo: 'Demo Client',
  other: 'Other Client',
  load: 'Load Test Client',
  restricted: 'Restricted Client',
  poor: 'Poor Client',
  limited: 'Limited Client',
} as const;

/** Throws a sentence if one of them could log in: their credentials lie in files of sandboxes. */
export async function rejectDemoClients(database: Database): Promise<void> {
  const active = await rows<{ id: number; name: string }>(
    database,
    `SELECT c.id, c.name FROM clients c
      WHERE c.name = ANY ($names) AND c.status = 'ACTIVE'
        AND EXISTS (SELECT FROM api_keys k WHERE k.client_id = c.id AND k.revoked_at IS NULL) ORDER BY c.id`,
    { names: Object.values(demoClientNames) },
  );
  const [first] = active;
  if (!first) return;
  throw new Error(
    `The database holds ${active.length} demo clients that could log in, which production refuses: suspend each, ` +
      `beginning with npm run ops -- clients suspend "${first.name}".`,
  );
}
