/** API clients as the rest of the service sees them. */
import type { AccessRefusal } from '../../domain/errors';
import type { Feature } from '../../domain/orders/families';
import type { SessionOwner } from '../../security/tokens';
import { firstRow, type Database } from '../database/database';

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
