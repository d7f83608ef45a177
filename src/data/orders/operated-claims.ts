/** Claims as operators see and decide them. The functions of `schema/rules/claim-decisions.sql` decide. docs/operators/claims.md. */
import type { ClaimKind, ClaimOutcome, ClaimState } from '../../domain/orders/claim-kinds';
import type { Family } from '../../domain/orders/families';
import type { RefundReason } from '../../domain/orders/refund-reasons';
import type { Exact } from '../../domain/prices/money';
import { matching } from '../database/conditions';
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { number, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

export const listedClaimColumns = {
  id: number,
  client: text,
  order_id: number,
  family: oneOf<Family>(),
  unit: orNull(number),
  kind: oneOf<ClaimKind>(),
  state: oneOf<ClaimState>(),
  outcome: orNull(oneOf<ClaimOutcome>()),
  product: text,
  /** The order of the refund: the one that was paid for the unit. */
  refund_order_id: orNull(number),
  refund_number: orNull(number),
  replacement_order_id: orNull(number),
  /** With its currency. */
  supplier_credit: orNull(text),
  /** The person who opened it for the client; null if the client filed it. */
  opened_by: orNull(text),
  created_at: time,
  due_at: time,
  closed_at: orNull(time),
};
export type ListedClaim = RowWith<typeof listedClaimColumns>;

const listedColumns = `
  claim.id, client.name AS client, claim.order_id, o.family, claim.unit, claim.kind, claim.state, claim.outcome,
  o.product_name AS product, claim.refund_order_id, claim.refund_number, claim.replacement_order_id,
  trim_scale(claim.supplier_credit) || ' ' || claim.supplier_credit_currency AS supplier_credit,
  claim.opened_by, claim.created_at, claim.due_at, claim.closed_at`;

const listed = `FROM claims claim JOIN orders o ON o.id = claim.order_id JOIN clients client ON client.id = claim.client_id`;

export const claimOrders = ['newest', 'due'] as const;
export type ClaimOrder = (typeof claimOrders)[number];

/** The columns by which a list is sorted. Each ends with the id, so that no two claims are equal. */
const columnsOfOrder: Readonly<Record<ClaimOrder, string>> = {
  newest: '-claim.id',
  // Closed claims have no answer that is due, so they come last.
  due: 'claim.closed_at IS NOT NULL, claim.due_at, claim.id',
};

/** The conditions of a list. An undefined condition matches every claim. */
export interface OperatedClaimFilter {
  clientId?: number | undefined;
  orderId?: number | undefined;
  state?: ClaimState | undefined;
  /** Only claims that are not closed. */
  isOpen?: true | undefined;
  /** The id of the claim behind which the page begins. */
  after?: number | undefined;
}

/** The matching claims, by default the newest first. */
export function listOperatedClaims(
  database: Database,
  { sort = 'newest', limit, ...filter }: OperatedClaimFilter & { sort?: ClaimOrder; limit: number },
) {
  const columns = columnsOfOrder[sort];
  const { where, binds } = matching(filter, {
    clientId: 'claim.client_id = $clientId',
    orderId: 'claim.order_id = $orderId',
    state: 'claim.state = $state',
    isOpen: '$isOpen AND claim.closed_at IS NULL',
    after: `(${columns}) > (SELECT ${columns} FROM claims claim WHERE claim.id = $after)`,
  });
  return rows<ListedClaim>(
    database,
    `SELECT ${listedColumns} ${listed} WHERE ${where} ORDER BY ${columns} LIMIT $limit`,
    { ...binds, limit },
  );
}

/** What a supplier asks for: a purchase that delivered the claimed unit. */
export interface PurchaseOfUnit {
  /** Our reference at the supplier. */
  reference: string;
  supplier: string;
  sku: string;
  supplier_order_id: string | null;
  sent_at: Date | null;
  cost: string | null;
}

export interface OperatedClaim extends ListedClaim {
  client_id: number;
  /** The order that was paid for the unit, and its unit. They differ from the claimed ones if the order replaces a unit. */
  paid_order_id: number;
  paid_unit: number;
  wallet_currency: string;
  face_value: string;
  order_placed_at: Date;
  order_completed_at: Date | null;
  client_reference: string | null;
  purchases: PurchaseOfUnit[];
}

/** The claim with what opens its sealed values. */
export interface OpenedClaim {
  shown: OperatedClaim;
  nonce: string;
  sealedText: Buffer | null;
}

const purchasesOfUnit = `
  SELECT coalesce(jsonb_agg(jsonb_build_object('reference', p.reference, 'supplier', p.supplier, 'sku', p.sku,
           'supplier_order_id', p.supplier_order_id, 'sent_at', rfc3339(p.sent_at),
           'cost', trim_scale(p.cost)::text || ' ' || p.cost_currency) ORDER BY p.batch), '[]')
    FROM supplier_purchases p
   WHERE p.order_id = claim.order_id AND p.stored > 0
     AND coalesce(claim.unit, 1) >= p.first_unit AND coalesce(claim.unit, 1) < p.first_unit + p.units`;

const findStatement = `
  SELECT ${listedColumns}, claim.client_id, paid.order_id AS paid_order_id, paid.unit AS paid_unit, o.deduction_currency AS wallet_currency,
         trim_scale(o.unit_amount)::text || ' ' || o.base_currency AS face_value, o.placed_at AS order_placed_at,
         o.completed_at AS order_completed_at, o.client_reference, (${purchasesOfUnit}) AS purchases,
         o.nonce, claim.sealed_text AS "sealedText"
    ${listed} CROSS JOIN LATERAL paid_unit(o.id, coalesce(claim.unit, 1)) paid WHERE claim.id = $id`;

/** The claim. Throws with a sentence if there is none with the id. */
export async function findOperatedClaim(database: Database, id: number): Promise<OpenedClaim> {
  type Row = OperatedClaim & Pick<OpenedClaim, 'nonce' | 'sealedText'>;
  const found = await firstRow<Row>(database, findStatement, { id });
  if (!found) throw new Error(`There is no claim ${id}. See them with: claims list`);
  const { nonce, sealedText, ...shown } = found;
  return { shown, nonce, sealedText };
}

/** Throws why no claim about the unit can be opened; without a unit, about any of the order. `days`: of a product without days of its own. */
export async function assertClaimable(
  database: Database,
  { orderId, unit, days }: { orderId: number; unit: number | null; days: number },
): Promise<void> {
  await rows(database, 'SELECT require_claimable($orderId, $unit, $days)', { orderId, unit, days });
}

/** A claim that an operator opens for a client. */
export interface OpenedClaimInput {
  orderId: number;
  /** Null for a family whose orders have one unit. */
  unit: number | null;
  kind: ClaimKind;
  /** What the client reads. */
  sealedText: Buffer;
  days: number;
  dueDays: number;
}

/** Opens the claim, and notifies the client. Returns its id. Throws with a sentence if the client could not file it. */
export async function openClaim(database: Database, input: OpenedClaimInput): Promise<number> {
  const statement = 'SELECT open_claim($orderId, $unit, $kind, $sealedText, $days, $dueDays) AS id';
  return (await oneRow<{ id: number }>(database, statement, { ...input })).id;
}

/** Marks that the supplier was asked. */
export async function sendClaim(database: Database, id: number): Promise<void> {
  await rows(database, 'SELECT send_claim($id)', { id });
}

/** Rejects the claim. A new one is possible within the days of the product. */
export async function rejectClaim(database: Database, id: number): Promise<void> {
  await rows(database, 'SELECT reject_claim($id)', { id });
}

/** How a claim is accepted. */
export interface Acceptance {
  id: number;
  reasonCode: RefundReason;
  /** Refunds this amount for the unit instead of the unit. */
  amount: Exact | undefined;
  /** Whether the client's contact is mailed about the credit. */
  mail: boolean;
}

/** Accepts the claim and refunds its unit on the order that was paid, in one statement: both or neither. Returns the number of the refund. */
export async function acceptByRefund(
  database: Database,
  { id, reasonCode, amount, mail }: Acceptance,
  transaction: Transaction,
): Promise<number> {
  const { number } = await oneRow<{ number: number }>(
    database,
    'SELECT accept_claim_by_refund($id, $amount, $reasonCode, $mail) AS number',
    { id, amount: amount?.toFixed() ?? null, reasonCode, mail },
    transaction,
  );
  return number;
}

/** What recording a credit did. Amounts are decimal strings in `currency`, that of the wallet. */
export interface RecordedCredit {
  /** Whether it is recorded: not if it exceeds `most` without force. */
  isRecorded: boolean;
  credited: string;
  /** The cost of the unit, or its value if the cost is unknown. */
  most: string;
  isCostKnown: boolean;
  currency: string;
}

const creditStatement = `
  SELECT is_recorded AS "isRecorded", trim_scale(round(credited, 4))::text AS credited, trim_scale(round(most, 4))::text AS most,
         is_cost_known AS "isCostKnown", currency
    FROM record_supplier_credit($id, $currency, $amount, $force)`;

/**
 * Records what the supplier credits us for the goods, as `[currency, amount]`, at the present rate. A later credit of the claim replaces it.
 * All credits for a unit are together at most its cost, unless forced. Throws with a sentence for the operator.
 */
export function recordSupplierCredit(
  database: Database,
  { id, credit: [currency, amount], force }: { id: number; credit: readonly [string, string]; force: boolean },
  transaction?: Transaction,
): Promise<RecordedCredit> {
  return oneRow<RecordedCredit>(database, creditStatement, { id, currency, amount, force }, transaction);
}

/** The days of the product in which its goods can be claimed; undefined if it has those of all products. */
export async function findClaimDays(
  database: Database,
  product: { family: Family; productId: number },
): Promise<number | undefined> {
  const statement = 'SELECT days FROM claim_days WHERE family = $family AND product_id = $productId';
  return (await firstRow<{ days: number }>(database, statement, product))?.days;
}

/** The days of a product in which its goods can be claimed; null for those of all products. */
export async function setClaimDays(
  database: Database,
  product: { family: Family; productId: number },
  days: number | null,
): Promise<void> {
  const statement =
    days === null
      ? 'DELETE FROM claim_days WHERE family = $family AND product_id = $productId'
      : `INSERT INTO claim_days (family, product_id, days) VALUES ($family, $productId, $days)
         ON CONFLICT (family, product_id) DO UPDATE SET days = excluded.days`;
  await rows(database, statement, { ...product, ...(days !== null && { days }) });
}

/** The claims of an order that the attention list shows. */
export interface WaitingClaims {
  orderId: number;
  /** The ids of the claims that no operator has sent or decided, and of those whose answer is due. */
  fresh: number[];
  due: number[];
}

const waitingStatement = `
  SELECT order_id AS "orderId", coalesce(jsonb_agg(id ORDER BY id) FILTER (WHERE state = 'OPEN'), '[]') AS fresh,
         coalesce(jsonb_agg(id ORDER BY id) FILTER (WHERE due_at < now()), '[]') AS due
    FROM claims WHERE closed_at IS NULL GROUP BY order_id`;

export function listWaitingClaims(database: Database) {
  return rows<WaitingClaims>(database, waitingStatement);
}

/** A client with unusually many claims. */
export interface UnusualClaims {
  client: string;
  claims: number;
  units: number;
}

// Units that were delivered in the 30 days; an order that has not ended counts with what it has.
const unusualStatement = `
  SELECT client.name AS client, claimed.claims, coalesce(sold.units, 0)::integer AS units
    FROM (SELECT client_id, count(*)::integer AS claims, count(DISTINCT (order_id, unit)) AS units FROM claims
           WHERE created_at > now() - interval '30 days' AND opened_by IS NULL GROUP BY client_id HAVING count(*) > $count) claimed
    JOIN clients client ON client.id = claimed.client_id
   CROSS JOIN LATERAL (SELECT sum(delivered_quantity) AS units FROM orders
                        WHERE client_id = claimed.client_id AND placed_at > now() - interval '30 days') sold
   WHERE 100 * claimed.units > $percent * coalesce(sold.units, 0)
   ORDER BY claimed.claims DESC, client.name`;

/** Clients with more than `count` claims, and more than `percent` of their units claimed, within 30 days. */
export function listUnusualClaims(database: Database, limits: { count: number; percent: number }) {
  return rows<UnusualClaims>(database, unusualStatement, { ...limits });
}
