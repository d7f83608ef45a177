/** API clients as the rest of the service sees them. */
import type { Feature } from '../domain/families';
import { firstRow, type Database } from './database';

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

const clientById = `
  SELECT id, name, status, contact_email AS "contactEmail", features, allowed_cidrs AS "allowedCidrs",
         bulk_limit AS "bulkLimit", rate_limits AS "rateLimits"
    FROM clients WHERE id = $id`;

/** The client, or undefined if there is none with the id. */
export async function findClient(database: Database, id: number): Promise<Client | undefined> {
  return firstRow<Client>(database, clientById, { id });
}
