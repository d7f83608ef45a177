/** Lists the offers of suppliers that need an operator's decision, and puts suppliers with waiting changes on the attention list. */
import type { Family } from '../../domain/orders/families';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import type { SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { clearAttention, raiseAttention } from '../attention/attention';
import { givenOrNull } from '../database/binds';
import { rows, type Database, type Transaction } from '../database/database';
import { number, object, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

/**
 * `new`: the offer can be sold, but is not a source of any item. `changed`: a change of its terms waits for an operator. `gone`:
 * its sources are inactive because the supplier's lists no longer contain the offer. `unsellable`: the offer cannot be sold.
 */
export const offerStates = ['new', 'changed', 'gone', 'unsellable'] as const;
export type OfferState = (typeof offerStates)[number];

export const reviewedOfferColumns = {
  id: number,
  state: oneOf<OfferState>(),
  supplier: text,
  family: oneOf<Family>(),
  sku: text,
  name: text,
  terms: object<SupplierOffer>(),
  /** What changed, or why the offer cannot be sold; null if neither applies. */
  reason: orNull(text),
  /** When a new offer was first listed, or a gone one became gone. In other states: when the terms last changed. */
  since: time,
};
export type ReviewedOffer = RowWith<typeof reviewedOfferColumns>;

// A gone offer needs no decision if it made no source inactive, or if an operator has decided about each of these sources.
const reviewStatement = `
WITH judged AS (
  SELECT offer.*,
         CASE WHEN held IS NOT NULL THEN 'changed'
              WHEN gone_at IS NOT NULL THEN CASE WHEN withdrawn <> '{}' THEN 'gone' END
              WHEN unsellable IS NOT NULL THEN 'unsellable'
              WHEN made_item_id IS NULL AND NOT EXISTS (
                     SELECT FROM product_sources source
                      WHERE source.supplier = offer.supplier AND source.sku = offer.sku AND source.family = offer.family)
              THEN 'new' END AS state
    FROM supplier_offers offer
   WHERE ($supplier::text IS NULL OR supplier = $supplier) AND ($family::text IS NULL OR family = $family)
     AND ($offerId::integer IS NULL OR id = $offerId)
), listed AS (
  SELECT *, row_number() OVER (
           ORDER BY supplier, array_position(ARRAY['changed', 'gone', 'new', 'unsellable'], state), family, sku) AS place
    FROM judged WHERE state IS NOT NULL AND ($state::text IS NULL OR state = $state)
)
SELECT id, state, supplier, family, sku, terms ->> 'name' AS name, terms, coalesce(held, unsellable) AS reason,
       CASE state WHEN 'new' THEN first_seen_at WHEN 'gone' THEN gone_at ELSE changed_at END AS since
  FROM listed WHERE $after::integer IS NULL OR place > (SELECT place FROM listed WHERE id = $after)
 ORDER BY place LIMIT $limit`;

/** The conditions of a review. An undefined condition matches every offer. */
export interface ReviewFilter {
  supplier?: string | undefined;
  state?: OfferState | undefined;
  family?: Family | undefined;
  offerId?: number | undefined;
  /** Only offers behind this one. */
  after?: number | undefined;
  limit?: number | undefined;
}

/** The offers that need a decision, sorted by supplier, then by state: changed, gone, new, unsellable. */
export function reviewOffers(database: Database, filter: ReviewFilter) {
  const { supplier, state, family, offerId, after, limit } = filter;
  const binds = givenOrNull({ supplier, state, family, offerId, after, limit });
  return rows<ReviewedOffer>(database, reviewStatement, binds);
}

/** Puts the supplier on the attention list while a change of its offers waits for an operator. */
export async function reportHeldChanges(
  database: Database,
  supplier: string,
  transaction?: Transaction,
): Promise<void> {
  const changed = await rows<{ id: number; sku: string; held: string; count: number }>(
    database,
    `SELECT id, sku, held, count(*) OVER () AS count FROM supplier_offers
      WHERE supplier = $supplier AND held IS NOT NULL ORDER BY id LIMIT $limit`,
    { supplier, limit: MAX_NAMED },
    transaction,
  );
  const [first] = changed;
  if (!first) return clearAttention(database, { supplier }, ['OFFERS_CHANGED'], transaction);
  const named = changed.map(({ id, sku, held }) => `offer ${id} (${sku}): ${held}`);
  const reason = `Changes of offers wait for a decision (${first.count}): ${firstNames(named, '. ', first.count)}`;
  await raiseAttention(database, { supplier }, 'OFFERS_CHANGED', reason, transaction);
}
