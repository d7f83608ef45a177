/** Stores the offers of suppliers, and applies them to the sources that have the same supplier, family and SKU. */
import type { Family } from '../../domain/orders/families';
import type { HeldCost } from '../../domain/orders/source-costs';
import type { DeliveredItem } from '../../domain/prices/fitting-offers';
import type { ListPrice, SourceTerms } from '../../domain/prices/source-terms';
import type { SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { samePlanMark } from './same-plan-marks';

/** An offer in a supplier's list. */
export interface ListedOffer {
  terms: SupplierOffer;
  /** Why the offer cannot be sold, according to the supplier's adapter or our own checks; undefined if it can. */
  unsellable: string | undefined;
}

/** A source with the supplier, family and SKU of an offer. */
export interface OfferSource {
  id: number;
  terms: SourceTerms;
  /** The terms that a person accepted last, or the first ones; null while these are `terms`. */
  accepted: SourceTerms | null;
  listPrice: ListPrice;
  itemId: number;
  /** The currency of its item. */
  itemCurrency: string;
  item: DeliveredItem;
  /** Whether its item is the variant that follows the offer: a plan in the list of the plan's own supplier. */
  isPlanOfOffer: boolean;
  /** Whether an operator has set it to inactive. */
  isSetInactive: boolean;
}

/** An offer with its sources. */
export interface LinkedOffer {
  id: number;
  terms: SupplierOffer;
  sources: OfferSource[];
}

/** The numbers of new offers, and of known offers whose terms have changed. */
export interface StoredOffers {
  added: number;
  changed: number;
}

// A list may show an offer twice, because a row moved to a later page, so DISTINCT ON keeps one. Known offers are updated
// separately, because an INSERT with ON CONFLICT would use up an id for each of them.
const storeStatement = `
WITH listed AS (
  SELECT DISTINCT ON (terms ->> 'family', terms ->> 'sku') terms ->> 'family' AS family, terms ->> 'sku' AS sku, terms, unsellable,
         CASE WHEN unsellable IS NULL THEN $listedAt::timestamptz END AS sellable_at, md5(terms::text) AS hash
    FROM jsonb_to_recordset($offers::jsonb) AS listed (terms jsonb, unsellable text)
), before AS (
  SELECT known.id, known.hash <> listed.hash AS is_changed, listed.*
    FROM supplier_offers known JOIN listed USING (family, sku) WHERE known.supplier = $supplier
), updated AS (
  UPDATE supplier_offers known
     SET terms = before.terms, unsellable = before.unsellable,
         last_seen_at = greatest(known.last_seen_at, $listedAt),
         changed_at = CASE WHEN before.is_changed THEN $listedAt ELSE known.changed_at END,
         sellable_at = greatest(known.sellable_at, before.sellable_at),
         missed = CASE WHEN before.unsellable IS NULL THEN 0 ELSE known.missed END
    FROM before WHERE known.id = before.id
), added AS (
  INSERT INTO supplier_offers (supplier, family, sku, terms, unsellable, first_seen_at, last_seen_at, changed_at, sellable_at)
  SELECT $supplier, family, sku, terms, unsellable, $listedAt, $listedAt, $listedAt, sellable_at
    FROM listed WHERE (family, sku) NOT IN (SELECT family, sku FROM before)
  ON CONFLICT (supplier, family, sku) DO NOTHING
  RETURNING id
)
SELECT (SELECT count(*) FROM added) AS added, (SELECT count(*) FROM before WHERE is_changed) AS changed`;

/** Stores a part of a supplier's list whose reading began at `listedAt`. */
export function storeOffers(
  database: Database,
  supplier: string,
  { offers, listedAt }: { offers: readonly ListedOffer[]; listedAt: Date },
  transaction: Transaction,
): Promise<StoredOffers> {
  const binds = { supplier, listedAt, offers: JSON.stringify(offers) };
  return oneRow<StoredOffers>(database, storeStatement, binds, transaction);
}

/** SQL: joins the item of a source. */
const itemJoin = `
      LEFT JOIN voucher_products voucher ON source.family = 'VOUCHER' AND voucher.id = source.item_id
      LEFT JOIN topup_variants topup ON source.family = 'TOPUP' AND topup.id = source.item_id
      LEFT JOIN topup_products topup_product ON topup_product.id = topup.product_id
      LEFT JOIN esim_variants plan ON source.family = 'ESIM' AND plan.id = source.item_id
      LEFT JOIN esim_products plan_product ON plan_product.id = plan.product_id`;

const withoutZeros = (column: string) => `trim_scale(source.${column})::text`;

/** SQL: the rate from the cost of `offer` to the currency of the item. */
const costRate = `(
  SELECT CASE WHEN item.currency = item.cost_currency THEN '1' ELSE (
           SELECT rate.rate::text FROM cost_rates rate
            WHERE rate.source_currency = item.cost_currency AND rate.destination_currency = item.currency) END
    FROM (SELECT coalesce(voucher.currency_code, topup.currency_code, plan.currency_code) AS currency,
                 offer.terms #>> '{cost,currency}' AS cost_currency) item)`;

/** SQL: the sources of an offer as JSON (`OfferSource[]`). */
const sourcesOfOffer = `
  coalesce((
    SELECT json_agg(json_build_object('id', source.id, 'itemId', source.item_id,
             'itemCurrency', coalesce(voucher.currency_code, topup.currency_code, plan.currency_code),
             'item', json_build_object(
               'inputs', coalesce(jsonb_path_query_array(topup_product.input_fields, '$[*].field_name'), '[]'),
               'dataAmountGb', trim_scale(plan.data_amount_gb)::text, 'validityDays', plan.validity_days,
               'isSamePlan', coalesce(source.same_plan = ${samePlanMark}, false)),
             'isPlanOfOffer', coalesce((plan_product.supplier, plan.supplier_sku) = (source.supplier, source.sku), false),
             'isSetInactive', NOT source.active AND source.id <> ALL (offer.withdrawn),
             'accepted', source.accepted_terms,
             'listPrice', json_build_object(
               'percent', coalesce((SELECT trim_scale(100 - max(discount_percent))::text FROM voucher_denominations
                                     WHERE product_id = voucher.id), '100'),
               'plan', trim_scale(plan.listed_amount)::text, 'costRate', ${costRate}),
             'terms', json_build_object(
             'fixedAmounts', (SELECT json_agg(trim_scale(amount)::text ORDER BY position)
                                FROM unnest(source.fixed_amounts) WITH ORDINALITY AS fixed (amount, position)),
             'minAmount', ${withoutZeros('min_amount')}, 'maxAmount', ${withoutZeros('max_amount')},
             'costPercent', ${withoutZeros('cost_percent')}, 'costFixed', ${withoutZeros('cost_fixed')}, 'fee', ${withoutZeros('fee')},
             'costCurrency', source.cost_currency)) ORDER BY source.id)
      FROM product_sources source ${itemJoin}
     WHERE source.family = offer.family AND source.supplier = offer.supplier AND source.sku = offer.sku), '[]')`;

const linkedOffers = `
SELECT offer.id, offer.terms, ${sourcesOfOffer} AS sources
  FROM supplier_offers offer`;

/** The sellable offers among `listed` that have a source. Locks them until the transaction ends. */
export function listLinkedOffers(
  database: Database,
  supplier: string,
  listed: readonly { family: Family; sku: string }[],
  transaction: Transaction,
) {
  return rows<LinkedOffer>(
    database,
    `${linkedOffers}
      WHERE offer.supplier = $supplier AND offer.unsellable IS NULL
        AND (offer.family, offer.sku) IN (SELECT family, sku FROM jsonb_to_recordset($listed::jsonb) AS listed (family text, sku text))
        AND EXISTS (SELECT FROM product_sources source
                     WHERE source.supplier = offer.supplier AND source.sku = offer.sku AND source.family = offer.family)
      ORDER BY offer.id FOR UPDATE OF offer`,
    { supplier, listed: JSON.stringify(listed) },
    transaction,
  );
}

/** One offer with its sources. Locks it until the transaction ends. */
export function findLinkedOffer(database: Database, id: number, transaction: Transaction) {
  const statement = `${linkedOffers} WHERE offer.id = $id FOR UPDATE OF offer`;
  return firstRow<LinkedOffer>(database, statement, { id }, transaction);
}

/** One offer with its sources; undefined if it is no source of any item. */
export function readLinkedOffer(database: Database, id: number) {
  return firstRow<LinkedOffer>(database, `${linkedOffers} WHERE offer.id = $id`, { id });
}

const adoptStatement = `
WITH adopted AS (
  SELECT * FROM jsonb_to_recordset($adopted::jsonb) AS adopted ("sourceId" integer, "fixedAmounts" numeric[], "minAmount" numeric,
    "maxAmount" numeric, "costPercent" numeric, "costFixed" numeric, fee numeric, "costCurrency" text, accepted jsonb)
)
UPDATE product_sources source
   SET fixed_amounts = adopted."fixedAmounts", min_amount = adopted."minAmount", max_amount = adopted."maxAmount",
       cost_percent = adopted."costPercent", cost_fixed = adopted."costFixed", fee = adopted.fee, cost_currency = adopted."costCurrency",
       held_cost = NULL, accepted_terms = adopted.accepted,
       reported_cost = CASE WHEN $byList THEN source.reported_cost END
  FROM adopted
 WHERE source.id = adopted."sourceId"`;

/** New terms of a source. `accepted`: see `OfferSource`. */
export type AdoptedTerms = SourceTerms & { sourceId: number; accepted: SourceTerms | null };

/** Replaces the terms of each of these sources. A person who accepts them also decides about a cost that the supplier reported. */
export async function adoptTerms(
  database: Database,
  adopted: readonly AdoptedTerms[],
  by: 'list' | 'person',
  transaction: Transaction,
): Promise<void> {
  const binds = { adopted: JSON.stringify(adopted), byList: by === 'list' };
  if (adopted.length > 0) await rows(database, adoptStatement, binds, transaction);
}

/** The result of comparing an offer with its sources. */
export interface Judgement {
  offerId: number;
  /** The change that waits for an operator; null if the sources now have the offer's terms. */
  held: string | null;
  /** The cost in the offer, which its sources keep while the change waits; null if none waits. */
  heldCost: HeldCost | null;
  /** The sources that become inactive until the offer delivers their items again. Empty if `held` is null. */
  stopped: number[];
}

const judgeStatement = `
WITH judged AS (
  SELECT * FROM jsonb_to_recordset($judged::jsonb) AS judged ("offerId" integer, held text, "heldCost" jsonb, stopped integer[])
), seen AS (
  UPDATE product_sources source
     SET active = CASE WHEN source.id = ANY (judged.stopped) THEN false
                       WHEN source.id = ANY (offer.withdrawn) AND (judged.held IS NULL OR offer.gone_at IS NULL) THEN true
                       ELSE source.active END,
         held_cost = judged."heldCost", listed_at = offer.last_seen_at
    FROM supplier_offers offer JOIN judged ON judged."offerId" = offer.id
   WHERE source.supplier = offer.supplier AND source.sku = offer.sku AND source.family = offer.family
)
UPDATE supplier_offers offer
   SET held = judged.held,
       gone_at = CASE WHEN judged.held IS NULL THEN NULL ELSE offer.gone_at END,
       withdrawn = CASE WHEN judged.held IS NULL OR offer.gone_at IS NULL THEN judged.stopped
                        ELSE ARRAY(SELECT unnest(offer.withdrawn) UNION SELECT unnest(judged.stopped)) END
  FROM judged WHERE offer.id = judged."offerId"
   AND (offer.held, offer.gone_at, offer.withdrawn) IS DISTINCT FROM (judged.held, NULL, judged.stopped)`;

/**
 * Stores the judgements, and records when the sources were listed. A source that became inactive because its offer could not deliver
 * its item becomes active again once the offer can; one whose offer was missing, once it has the offer's terms.
 */
export async function storeJudgements(
  database: Database,
  judged: readonly Judgement[],
  transaction: Transaction,
): Promise<void> {
  if (judged.length > 0) await rows(database, judgeStatement, { judged: JSON.stringify(judged) }, transaction);
}

// An item keeps an image or text that its offer lacks.
const copyStatement = `
WITH made AS (
  SELECT family, made_item_id AS id, terms ->> 'imageUrl' AS image, terms ->> 'terms' AS terms,
         nullif(concat_ws(E'\\n\\n', terms ->> 'redemption', terms ->> 'installation'), '') AS instructions
    FROM supplier_offers WHERE supplier = $supplier AND made_item_id IS NOT NULL
), vouchers AS (
  UPDATE voucher_products item
     SET image_url = coalesce(made.image, image_url), terms = coalesce(made.terms, item.terms),
         how_to_use = coalesce(made.instructions, how_to_use)
    FROM made
   WHERE made.family = 'VOUCHER' AND made.id = item.id
     AND (coalesce(made.image, image_url), coalesce(made.terms, item.terms), coalesce(made.instructions, how_to_use))
         IS DISTINCT FROM (image_url, item.terms, how_to_use)
), topups AS (
  UPDATE topup_products item SET image_url = made.image
    FROM made JOIN topup_variants variant ON variant.id = made.id
   WHERE made.family = 'TOPUP' AND item.id = variant.product_id AND item.image_url <> made.image
)
UPDATE esim_products item SET image_url = made.image
  FROM made WHERE made.family = 'ESIM' AND made.id = item.id AND item.image_url <> made.image`;

/** Copies images and texts of the supplier's offers to the items that were made from them. */
export async function copyOfferTexts(database: Database, supplier: string): Promise<void> {
  await rows(database, copyStatement, { supplier });
}
