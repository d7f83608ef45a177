/** The rules by which orders are held for review; `hold_of` applies them. docs/operators/holds.md. */
import type { Family } from '../../domain/orders/families';
import { matching } from '../database/conditions';
import { firstRow, hasRow, oneRow, rows, type Database } from '../database/database';
import { number, oneOf, orNull, text, type RowWith } from '../../domain/row-columns';

export const spendRuleKinds = ['PER_HOUR', 'PER_RECIPIENT', 'NEW_NETWORK', 'DENOMINATION'] as const;
export type SpendRuleKind = (typeof spendRuleKinds)[number];

/** A rule. Amounts are decimal strings. A rule of DENOMINATION has a denomination, and any other has a limit. */
export interface SpendRule {
  kind: SpendRuleKind;
  /** Null: for every client that has no rule of this kind. */
  clientId: number | null;
  maxOrders: number | null;
  maxAmount: string | null;
  currency: string | null;
  family: Family | null;
  productId: number | null;
  denomination: string | null;
  /** After this time without a decision, a held order is cancelled. */
  reviewHours: number;
}

// Each network from which the clients concerned have ordered counts as known since its first order, so that a new rule holds no
// order from them.
const storeStatement = `
WITH rule AS (
  INSERT INTO spend_rules (kind, client_id, max_orders, max_amount, currency, family, product_id, denomination, review_hours)
  VALUES ($kind, $clientId, $maxOrders, $maxAmount, $currency, $family, $productId, $denomination, $reviewHours)
  ON CONFLICT (kind, client_id, currency, family, product_id, denomination) DO UPDATE
     SET max_orders = excluded.max_orders, max_amount = excluded.max_amount, review_hours = excluded.review_hours
  RETURNING id
), known AS (
  INSERT INTO client_networks (client_id, network, first_used_at)
  SELECT client_id, network, min(placed_at) FROM orders
   WHERE $kind = 'NEW_NETWORK' AND network IS NOT NULL AND ($clientId::integer IS NULL OR client_id = $clientId)
   GROUP BY client_id, network
  ON CONFLICT DO NOTHING
)
SELECT id FROM rule`;

/** Makes the rule, or changes the limits of the rule for the same orders. Returns its id. */
export async function storeSpendRule(database: Database, rule: SpendRule): Promise<number> {
  return (await oneRow<{ id: number }>(database, storeStatement, { ...rule })).id;
}

/** What a change of a rule changes. */
export type SpendLimits = Pick<SpendRule, 'maxOrders' | 'maxAmount' | 'reviewHours'>;

const limitsStatement = `
SELECT max_orders AS "maxOrders", trim_scale(max_amount)::text AS "maxAmount", review_hours AS "reviewHours"
  FROM spend_rules
 WHERE (kind, client_id, currency, family, product_id, denomination)
       IS NOT DISTINCT FROM ($kind, $clientId::integer, $currency::text, $family::text, $productId::integer, $denomination::numeric)`;

/** The limits of the rule for the same orders, which `storeSpendRule` would change; undefined without one. */
export function findSpendLimits(database: Database, rule: SpendRule) {
  const { kind, clientId, currency, family, productId, denomination } = rule;
  const binds = { kind, clientId, currency, family, productId, denomination };
  return firstRow<SpendLimits>(database, limitsStatement, binds);
}

/** Deletes the rule. Orders that it has held stay held. False if there is none. */
export function deleteSpendRule(database: Database, id: number): Promise<boolean> {
  return hasRow(database, 'DELETE FROM spend_rules WHERE id = $id RETURNING id', { id });
}

/** A rule as operators see it. */
export const listedSpendRuleColumns = {
  id: number,
  kind: oneOf<SpendRuleKind>(),
  clients: text,
  max_orders: orNull(number),
  max_amount: orNull(text),
  currency: orNull(text),
  family: orNull(oneOf<Family>()),
  product_id: orNull(number),
  denomination: orNull(text),
  review_hours: number,
};
export type ListedSpendRule = RowWith<typeof listedSpendRuleColumns>;

/** The rules in the sequence in which they apply. An undefined condition matches every rule. `clientId`: only rules of exactly this client. */
export function listSpendRules(
  database: Database,
  filter: { id?: number; kind?: SpendRule['kind'] | undefined; clientId?: number | undefined } = {},
) {
  const { where, binds } = matching(filter, {
    id: 'rule.id = $id',
    kind: 'rule.kind = $kind',
    clientId: 'rule.client_id = $clientId',
  });
  return rows<ListedSpendRule>(
    database,
    `SELECT rule.id, rule.kind, coalesce(client.name, 'all') AS clients, rule.max_orders,
            trim_scale(rule.max_amount)::text AS max_amount, rule.currency, rule.family, rule.product_id,
            trim_scale(rule.denomination)::text AS denomination, rule.review_hours
       FROM spend_rules rule LEFT JOIN clients client ON client.id = rule.client_id
      WHERE ${where} ORDER BY rule.id`,
    binds,
  );
}
