/** The versions of price lists. docs/decisions/0085-version-price-lists-by-counted-changes.md. */
import type { Family } from '../../domain/orders/families';
import { oneRow, rateStopOf, type Database, type Transaction } from '../database/database';
import { pricingAudience } from '../prices/pricing-audience';
import { rateExists } from '../prices/rate-ages';

// Both sums in one statement, so that an announcement, which moves changes from one to the other, changes no sum. Between two changes,
// only time stops rates, so their number shows which of them have stopped.
const versionOf = (clientId: string, families: string) => `
  concat(coalesce((SELECT sum(version)::bigint FROM catalogue_versions
                    WHERE (client_id = ${clientId} OR client_id IS NULL) AND (family = ANY (${families}) OR family IS NULL)), 0)
       + (SELECT count(*) FROM catalogue_changes
           WHERE (client_id = ${clientId} OR client_id IS NULL) AND (family = ANY (${families}) OR family IS NULL)),
         '/', (SELECT count(*) FROM forex_rates rate WHERE NOT ${rateExists('rate')}))`;

const versionStatement = `SELECT ${versionOf('$clientId', '$families')} AS version`;

/**
 * Changes with each committed change to what the client's price list of the families is computed from, and once when a rate becomes too
 * old. Without a client: the changes of all lists. Each version is one state of all these inputs: reads in one snapshot with it see that
 * state.
 */
export async function catalogueVersion(
  database: Database,
  clientId: number | null,
  families: readonly Family[],
  transaction?: Transaction,
): Promise<string> {
  const binds = { clientId, families, ...rateStopOf(database) };
  return (await oneRow<{ version: string }>(database, versionStatement, binds, transaction)).version;
}

/** The versions of what a client's price list of some families is made of. */
export interface ListVersions {
  /** As `catalogueVersion`. */
  version: string;
  /** Those of each family: equal for all clients of the audience. */
  ofFamilies: Partial<Record<Family, string>>;
  /** The name of the audience (`PricingAudience`). */
  audience: string;
}

const listVersionsStatement = `
  SELECT ${versionOf('$clientId', '$families')} AS version, audience.name AS audience,
         (SELECT coalesce(json_object_agg(one.family, ${versionOf('audience.owner', 'ARRAY[one.family]')}), '{}')
            FROM unnest($families::text[]) AS one (family)) AS "ofFamilies"
    FROM (SELECT name, CASE WHEN "isShared" THEN NULL ELSE $clientId::integer END AS owner FROM (${pricingAudience}) found) audience`;

/** The versions of the client's list of the families, and its audience. `walletId`: the wallet that pays, if it is known. */
export function readListVersions(
  database: Database,
  list: { clientId: number; families: readonly Family[]; walletId: number | undefined },
  transaction?: Transaction,
): Promise<ListVersions> {
  const binds = { ...list, walletId: list.walletId ?? null, ...rateStopOf(database) };
  return oneRow<ListVersions>(database, listVersionsStatement, binds, transaction);
}
