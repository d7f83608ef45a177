/** Orders that replace claimed units. `schema/rules/replaceable-units.sql` decides them. docs/decisions/0074-keep-claims-as-rows-without-a-workflow.md. */
import type { Candidate } from '../../domain/orders/sources';
import { firstRow, oneRow, type Database, type Transaction } from '../database/database';
import { rechargedColumns, type HeldOrder } from './held-orders';

/** The orders of an eSIM's profile: the one that this order recharges, and the recharges of this one, failed ones included. */
export interface RechargeColumns {
  recharges_order_id: number | null;
  recharge_order_ids: number[];
}

/** The columns of an order that tell what it replaces, and how many orders replace units of it. */
export interface ReplacementColumns {
  replaces_order_id: number | null;
  replaces_unit: number | null;
  replacement_count: number;
}

/** What an order buys that replaces the unit of a claim, with the sealed recipient of the old order. */
export interface ReplacedItem extends HeldOrder {
  /** The nonce of the old order. */
  nonce: string;
  sealedEmail: Buffer | null;
  /** The input of a top-up. */
  sealedInput: Buffer | null;
}

const itemStatement = `
  SELECT o.client_id AS "clientId", o.family, o.product_id AS "productId", coalesce(t.variant_id, e.variant_id, o.product_id) AS "itemId",
         o.deduction_currency AS "walletCurrency", o.unit_amount AS "faceValue", 1 AS quantity, 1 AS "largestPurchase",
         (paid_unit(o.id, coalesce(claim.unit, 1))).price::text AS "unitPrice", o.nonce, o.sealed_email AS "sealedEmail",
         t.sealed_input AS "sealedInput", ${rechargedColumns}
    FROM claims claim JOIN orders o ON o.id = claim.order_id
    LEFT JOIN topup_orders t ON t.order_id = o.id LEFT JOIN esim_orders e ON e.order_id = o.id
   WHERE claim.id = $claimId`;

/** The item of the claim; undefined if there is no claim with the id. */
export function findReplacedItem(database: Database, claimId: number) {
  return firstRow<ReplacedItem>(database, itemStatement, { claimId });
}

/** The order to place. */
export interface PlannedReplacement {
  claimId: number;
  nonce: string;
  sources: readonly Candidate[];
  sealedEmail: Buffer | null;
  sealedInput: Buffer | null;
}

/** Accepts the claim and places the order, in one statement: both or neither. Returns the id of the order. */
export async function acceptByReplacement(
  database: Database,
  { sources, ...planned }: PlannedReplacement,
  transaction: Transaction,
): Promise<number> {
  const statement =
    'SELECT accept_claim_by_replacement($claimId, $nonce, $sources::jsonb, $sealedEmail, $sealedInput) AS id';
  const binds = { ...planned, sources: JSON.stringify(sources) };
  return (await oneRow<{ id: number }>(database, statement, binds, transaction)).id;
}

const priceStatement = `
  SELECT client_id AS "clientId", deduction_currency AS currency, trim_scale((paid_unit(id, quantity)).price)::text AS amount
    FROM orders WHERE id = $orderId`;

/** The value of the unit that the order replaces, through any chain of replacements, for the rules of approval. */
export function findReplacedValue(database: Database, orderId: number, transaction: Transaction) {
  return oneRow<{ clientId: number; currency: string; amount: string }>(
    database,
    priceStatement,
    { orderId },
    transaction,
  );
}

/** The same as `acceptByReplacement`, for a client of a sandbox, about a claim of its own. */
export async function replaceInSandbox(
  database: Database,
  clientId: number,
  { sources, ...planned }: PlannedReplacement,
): Promise<number> {
  const statement =
    'SELECT sandbox_replace_claim($clientId, $claimId, $nonce, $sources::jsonb, $sealedEmail, $sealedInput) AS id';
  return (await oneRow<{ id: number }>(database, statement, { ...planned, clientId, sources: JSON.stringify(sources) }))
    .id;
}
