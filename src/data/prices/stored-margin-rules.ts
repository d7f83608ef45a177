/**
 * Margin rules: the markup of products that are made from suppliers' offers, and the margin that a source must leave (which
 * `margin-floor.ts` reads).
 * docs/operators/catalogue.md#margins.
 */
import { productNameSql } from '../catalogue/product-names';
import type { Family } from '../../domain/orders/families';
import { matching } from '../database/conditions';
import { firstRow, hasRow, oneRow, rows, type Database } from '../database/database';
import type { GuardedValue } from './stored-confirmed-values';
import { floorOf } from './margin-floor';
import { number, oneOf, orNull, text, type RowWith } from '../../domain/row-columns';

/** The markup in percent for a product of the family; undefined if no rule sets one. `productId`: null for a new product. */
export async function findMarkup(
  database: Database,
  family: Family,
  productId: number | null,
): Promise<string | undefined> {
  const rule = await firstRow<{ markup: string }>(
    database,
    `SELECT trim_scale(markup_percent)::text AS markup FROM margin_rules
      WHERE family = $family AND markup_percent IS NOT NULL AND (product_id IS NULL OR product_id = $productId::integer)
      ORDER BY product_id IS NULL LIMIT 1`,
    { family, productId },
  );
  return rule?.markup;
}

/** The clients and products of a rule. Null means no restriction: to a client, to a group, to a product of the family. */
export interface MarginScope {
  clientId: number | null;
  clientGroup: string | null;
  family: Family;
  productId: number | null;
}

/** Percentages as decimals without trailing zeros; null if the rule does not set the percentage. */
export interface MarginRule {
  markup: string | null;
  minMargin: string | null;
}

const ofScope = `
  rule.client_id IS NOT DISTINCT FROM $clientId::integer AND rule.client_group IS NOT DISTINCT FROM $clientGroup::text
  AND rule.family = $family AND rule.product_id IS NOT DISTINCT FROM $productId::integer`;

const storeStatement = `
INSERT INTO margin_rules AS rule (client_id, client_group, family, product_id, markup_percent, min_margin_percent)
VALUES ($clientId, $clientGroup, $family, $productId, $markup, $minMargin)
ON CONFLICT (client_id, client_group, family, product_id) DO UPDATE
   SET markup_percent = coalesce(excluded.markup_percent, rule.markup_percent),
       min_margin_percent = coalesce(excluded.min_margin_percent, rule.min_margin_percent)
RETURNING trim_scale(markup_percent)::text AS markup, trim_scale(min_margin_percent)::text AS "minMargin"`;

/** Sets the percentages that are not null, and keeps the others. Adds the rule if there is none. Returns the stored rule. */
export function storeMarginRule(database: Database, scope: MarginScope, rule: MarginRule) {
  return oneRow<MarginRule>(database, storeStatement, { ...scope, ...rule });
}

/** The rule of exactly this scope; undefined if there is none. */
export function findMarginRule(database: Database, scope: MarginScope): Promise<MarginRule | undefined> {
  const sql = `
    SELECT trim_scale(markup_percent)::text AS markup, trim_scale(min_margin_percent)::text AS "minMargin"
      FROM margin_rules rule WHERE ${ofScope}`;
  return firstRow<MarginRule>(database, sql, { ...scope });
}

/**
 * The highest minimum margin that the rule of the scope replaces for some order: that of a rule which is less specific and covers some of
 * its clients and products. Null if there is none.
 */
export async function findReplacedFloor(database: Database, scope: MarginScope): Promise<string | null> {
  const found = await oneRow<{ floor: string | null }>(
    database,
    `SELECT trim_scale(max(rule.min_margin_percent))::text AS floor FROM margin_rules rule
      WHERE rule.family = $family AND (rule.product_id IS NULL OR $productId::integer IS NULL OR rule.product_id = $productId)
        AND (rule.client_id IS NULL OR rule.client_id = $clientId::integer)
        AND (rule.client_group IS NULL OR rule.client_group = $clientGroup::text
             OR rule.client_group = (SELECT client_group FROM clients WHERE id = $clientId))
        AND (rule.client_id IS NULL, rule.client_group IS NULL, rule.product_id IS NULL)
            > ($clientId::integer IS NULL, $clientGroup::text IS NULL, $productId::integer IS NULL)`,
    { ...scope },
  );
  return found.floor;
}

// Each family, and each of its products that a rule about groups names.
const floorsStatement = `
  SELECT jsonb_object_agg(concat_ws(' product ', scope.family, scope.product_id), trim_scale(floor)::text)::text AS text
    FROM (SELECT DISTINCT family, product_id FROM margin_rules WHERE client_group IS NOT NULL
          UNION SELECT DISTINCT family, NULL::integer FROM margin_rules WHERE client_group IS NOT NULL) scope
   CROSS JOIN LATERAL (SELECT ${floorOf('scope.family', 'scope.product_id')} AS floor) effective`;

/** The minimum margins of a client, by family and product, which depend on its group (JSON). */
export function clientFloors(database: Database, clientId: number): Pick<GuardedValue, 'name' | 'read'> {
  return {
    name: { kind: 'CLIENT_FLOORS', key: [clientId] },
    read: async () => (await oneRow<{ text: string | null }>(database, floorsStatement, { clientId })).text,
  };
}

/** A client of the group, whose margins stand for those of the group; null if there is none. `group`: null for no group. */
export async function firstClientOf(database: Database, group: string | null): Promise<number | null> {
  const statement = 'SELECT min(id) AS id FROM clients WHERE client_group = $group';
  return (await oneRow<{ id: number | null }>(database, statement, { group })).id;
}

/** Deletes the rule. Returns false if there is none. */
export function deleteMarginRule(database: Database, scope: MarginScope): Promise<boolean> {
  const sql = `DELETE FROM margin_rules rule WHERE ${ofScope} RETURNING id`;
  return hasRow(database, sql, { ...scope });
}

/** A rule as operators see it. */
export const listedMarginRuleColumns = {
  /** For whom it applies, in words. */
  clients: text,
  client_id: orNull(number),
  client_group: orNull(text),
  family: oneOf<Family>(),
  product_id: orNull(number),
  product_name: orNull(text),
  markup_percent: orNull(text),
  min_margin_percent: orNull(text),
  id: number,
};
export type ListedMarginRule = RowWith<typeof listedMarginRuleColumns>;

/** The conditions of a list of rules. An undefined condition matches every rule. */
export interface MarginRuleFilter {
  /** Only the rules of exactly this client. */
  clientId?: number | undefined;
  group?: string | undefined;
  family?: Family | undefined;
  productId?: number | undefined;
  /** Only rules behind the one with this id. */
  after?: number | undefined;
}

/** The columns by which the list is sorted: by family, the most specific rule first. */
const sorted = 'rule.family, rule.client_id IS NULL, rule.client_group IS NULL, rule.product_id IS NULL, rule.id';

/** The rules that match all conditions. */
export function listMarginRules(
  database: Database,
  { limit, ...filter }: MarginRuleFilter & { limit?: number | undefined } = {},
) {
  const { where, binds } = matching(filter, {
    clientId: 'rule.client_id = $clientId',
    group: 'rule.client_group = $group',
    family: 'rule.family = $family',
    productId: 'rule.product_id = $productId',
    after: `(${sorted}) > (SELECT ${sorted} FROM margin_rules rule WHERE rule.id = $after)`,
  });
  return rows<ListedMarginRule>(
    database,
    `SELECT coalesce(client.name, 'group ' || rule.client_group, 'all') AS clients, rule.client_id, rule.client_group,
            rule.family, rule.product_id, ${productNameSql('rule.family', 'rule.product_id')} AS product_name,
            trim_scale(rule.markup_percent)::text AS markup_percent,
            trim_scale(rule.min_margin_percent)::text AS min_margin_percent, rule.id
       FROM margin_rules rule LEFT JOIN clients client ON client.id = rule.client_id
      WHERE ${where} ORDER BY ${sorted} LIMIT $limit`,
    { ...binds, limit: limit ?? null },
  );
}
