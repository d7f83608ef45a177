/** Records requests that were rejected because no source of the product leaves the margin that a rule demands. */
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';
import { retention } from '../maintenance/retention';

/** A rejected request. Amounts are decimal strings. */
export interface MarginRejection {
  clientId: number;
  family: Family;
  productId: number;
  /** The amount of one unit. */
  amount: string;
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
  /** The sources of the item. */
  sourceIds: readonly number[];
}

// Reads first, so that a request that a client repeats within a minute is not written again.
const recordStatement = `
INSERT INTO margin_rejections (client_id, family, product_id, amount, wallet_id, source_ids)
SELECT $clientId::integer, $family::text, $productId::integer, $amount::numeric, $walletId::integer, $sourceIds::integer[]
 WHERE NOT EXISTS (SELECT FROM margin_rejections
                    WHERE client_id = $clientId AND family = $family AND product_id = $productId AND amount = $amount
                      AND wallet_id IS NOT DISTINCT FROM $walletId AND rejected_at > now() - interval '1 minute')
ON CONFLICT (client_id, family, product_id) DO UPDATE
   SET amount = excluded.amount, wallet_id = excluded.wallet_id, source_ids = excluded.source_ids, rejected_at = now()`;

/** Records the rejection for the attention list; the same rejection at most once a minute. */
export async function recordMarginRejection(database: Database, rejection: MarginRejection): Promise<void> {
  await rows(database, recordStatement, { ...rejection, walletId: rejection.walletId ?? null });
}

/** A recorded rejection with the names that operators know. */
export interface ListedRejection extends MarginRejection {
  client: string;
  product: string;
}

/** The maximum number of rejections that one review reads. */
const MAX_REVIEWED = 200;

const productTables: Readonly<Record<Family, string>> = {
  VOUCHER: 'voucher_products',
  TOPUP: 'topup_products',
  ESIM: 'esim_products',
};

const listStatement = `
SELECT rejection.client_id AS "clientId", rejection.family, rejection.product_id AS "productId",
       trim_scale(rejection.amount)::text AS amount, rejection.wallet_id AS "walletId", rejection.source_ids AS "sourceIds",
       client.name AS client, product.name AS product
  FROM margin_rejections rejection
  JOIN clients client ON client.id = rejection.client_id
  JOIN (${Object.entries(productTables)
    .map(([family, table]) => `SELECT '${family}' AS family, id, name FROM ${table}`)
    .join(' UNION ALL ')}) product ON product.family = rejection.family AND product.id = rejection.product_id
 ORDER BY rejection.rejected_at DESC LIMIT ${MAX_REVIEWED}`;

/** The newest rejections. Deletes those whose retention has ended, and those with a future time (the clock was set back). */
export async function listMarginRejections(database: Database): Promise<ListedRejection[]> {
  await rows(database, `DELETE FROM margin_rejections WHERE is_older_than(rejected_at, ${retention.marginRejection})`);
  const found = await rows<Omit<ListedRejection, 'walletId'> & { walletId: number | null }>(database, listStatement);
  return found.map((rejection) => ({ ...rejection, walletId: rejection.walletId ?? undefined }));
}

/** Deletes the rejection, unless a newer one of the same product names another amount. */
export async function deleteMarginRejection(
  database: Database,
  { clientId, family, productId, amount }: MarginRejection,
): Promise<void> {
  await rows(
    database,
    `DELETE FROM margin_rejections
      WHERE client_id = $clientId AND family = $family AND product_id = $productId AND amount = $amount::numeric`,
    { clientId, family, productId, amount },
  );
}
