/** The gift cards of orders, and where each stands. A card is found by the keyed hash of its code, never by the code. */
import { rows, type Database } from '../database/database';

/**
 * Where a card stands. `VOIDED`: the goods replaced a unit whose price was refunded. `QUARANTINED`: a code that no client was shown; it is
 * no unit of the order.
 */
export const cardStates = [
  'REFUNDABLE',
  'REFUNDED',
  'PARTLY_REFUNDED',
  'REPLACED',
  'REDEEMED',
  'VOIDED',
  'QUARANTINED',
] as const;
export type CardState = (typeof cardStates)[number];

/** A delivered gift card of an order. */
export interface OrderCard {
  unit: number;
  state: CardState;
}

/**
 * SQL: the cards that `which` selects (order_id, unit, redeemed_at, voided_at) with their states. Refunds that name no unit make every card
 * of the order REFUNDED once nothing is left of its price.
 */
const withStates = (which: string) => `
  WITH card AS MATERIALIZED (${which}),
  refund AS (
    SELECT order_id, for_unit, bool_or(units IS NOT NULL) AS is_whole FROM order_refunds
     WHERE order_id IN (SELECT order_id FROM card) GROUP BY order_id, for_unit),
  spent AS (
    SELECT o.id AS order_id FROM orders o CROSS JOIN LATERAL settled_units(o.id) settled
     WHERE o.id IN (SELECT order_id FROM card) AND settled.amount > 0
       AND (settled.units >= o.delivered_quantity OR settled.amount >= kept_debit(o)))
  SELECT card.order_id AS "orderId", card.unit,
         CASE WHEN replacement.id IS NOT NULL THEN 'REPLACED'
              WHEN refund.is_whole THEN 'REFUNDED'
              WHEN card.redeemed_at IS NOT NULL THEN 'REDEEMED'
              WHEN card.voided_at IS NOT NULL THEN 'VOIDED'
              WHEN spent.order_id IS NOT NULL THEN 'REFUNDED'
              WHEN refund.is_whole IS NOT NULL THEN 'PARTLY_REFUNDED'
              ELSE 'REFUNDABLE' END AS state
    FROM card
    LEFT JOIN refund ON refund.order_id = card.order_id AND refund.for_unit = card.unit
    LEFT JOIN spent ON spent.order_id = card.order_id
    LEFT JOIN orders replacement ON replacement.replaces_order_id = card.order_id AND replacement.replaces_unit = card.unit
                                AND replacement.status NOT IN ('FAILED', 'CANCELLED')`;

const ofOrderStatement = `
  ${withStates('SELECT order_id, unit, redeemed_at, voided_at FROM vouchers WHERE order_id = $orderId')}
   ORDER BY card.unit`;

/** The delivered gift cards of a voucher order; none of another family. */
export async function listCards(database: Database, orderId: number): Promise<OrderCard[]> {
  const cards = await rows<OrderCard & { orderId: number }>(database, ofOrderStatement, { orderId });
  return cards.map(({ unit, state }) => ({ unit, state }));
}

/** The part of an order that has a code. `unit`: null for a quarantined code. */
export interface CodePart {
  orderId: number;
  unit: number | null;
  state: CardState;
}

const ofCodeStatement = `
  SELECT * FROM (${withStates(`
    SELECT order_id, unit, redeemed_at, voided_at FROM vouchers WHERE code_hash = ANY ($hashes)
     UNION SELECT order_id, unit, redeemed_at, voided_at FROM vouchers WHERE claim_hash = ANY ($hashes)`)}) delivered
   UNION ALL
  SELECT DISTINCT order_id, NULL::integer, 'QUARANTINED'
    FROM quarantined_goods WHERE code_hash = ANY ($hashes) OR second_hash = ANY ($hashes)
   ORDER BY 1 DESC, 2 LIMIT $limit`;

/**
 * The cards with one of these keyed hashes of a code or a claim URL, newest order first. Quarantined codes count, because the supplier may
 * say that it delivered them.
 */
export function findCardsOfCode(database: Database, hashes: readonly Buffer[], limit: number) {
  return rows<CodePart>(database, ofCodeStatement, { hashes, limit });
}
