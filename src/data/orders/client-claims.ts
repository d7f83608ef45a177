/**
 * Claims of clients about delivered goods. `schema/rules/claimable-units.sql` and `schema/rules/claim-decisions.sql` decide them.
 * docs/specification.md#claims.
 */
import type { ClaimKind, ClaimOutcome, ClaimState } from '../../domain/orders/claim-kinds';
import type { Family } from '../../domain/orders/families';
import type { RefundReason } from '../../domain/orders/refund-reasons';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import { raisedMessage } from '../database/errors';

/** A claim as its client reads it. */
export interface ClientClaim {
  id: number;
  orderId: number;
  family: Family;
  /** The nonce of the order, to which the text is sealed. */
  nonce: string;
  /** Null for a family whose orders have one unit. */
  unit: number | null;
  kind: ClaimKind;
  /** Null once it is erased. */
  sealedText: Buffer | null;
  state: ClaimState;
  outcome: ClaimOutcome | null;
  replacementOrderId: number | null;
  createdAt: Date;
  dueAt: Date;
  closedAt: Date | null;
}

const claimColumns = `
  claim.id, claim.order_id AS "orderId", o.family, o.nonce, claim.unit, claim.kind, claim.sealed_text AS "sealedText", claim.state,
  claim.outcome, claim.replacement_order_id AS "replacementOrderId", claim.created_at AS "createdAt", claim.due_at AS "dueAt",
  claim.closed_at AS "closedAt"`;

const ofClients = `FROM claims claim JOIN orders o ON o.id = claim.order_id WHERE claim.client_id = $clientId`;

/** The client's claim; undefined if there is none with the id or it is another client's. */
export function findClaim(database: Database, clientId: number, id: number) {
  return firstRow<ClientClaim>(database, `SELECT ${claimColumns} ${ofClients} AND claim.id = $id`, { clientId, id });
}

export interface ClaimFilter {
  state?: ClaimState | undefined;
  orderId?: number | undefined;
}

const isWanted =
  '($state::text IS NULL OR claim.state = $state) AND ($orderId::bigint IS NULL OR claim.order_id = $orderId)';

/** One page of the client's claims, newest first, with the number of all. */
export async function listClaims(
  database: Database,
  clientId: number,
  { state, orderId }: ClaimFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; claims: ClientClaim[] }> {
  const binds = { clientId, state: state ?? null, orderId: orderId ?? null };
  const { total } = await oneRow<{ total: number }>(
    database,
    `SELECT count(*) AS total FROM claims claim WHERE client_id = $clientId AND ${isWanted}`,
    binds,
  );
  const claims = await rows<ClientClaim>(
    database,
    `SELECT ${claimColumns} ${ofClients} AND ${isWanted} ORDER BY claim.id DESC OFFSET $offset LIMIT $limit`,
    { ...binds, offset, limit },
  );
  return { total, claims };
}

/** The unit of an order that a client reports. `unit`: null for a family whose orders have one unit. */
export interface ClaimedUnit {
  clientId: number;
  orderId: number;
  unit: number | null;
}

const openStatement = `
  SELECT ${claimColumns} ${ofClients}
     AND claim.order_id = $orderId AND claim.unit IS NOT DISTINCT FROM $unit AND claim.closed_at IS NULL`;

/** The open claim of the unit; undefined without one. */
export function findOpenClaim(database: Database, claimed: ClaimedUnit) {
  return firstRow<ClientClaim>(database, openStatement, { ...claimed });
}

/** What decides whether a unit of an order can be claimed. */
export interface ClaimableUnit {
  family: Family;
  deliveredUnits: number;
  /** Whether the order has goods of the unit that its client can read. */
  isDelivered: boolean;
  /** Whether the unit, or everything that the order kept, was refunded or replaced. */
  isSettled: boolean;
  /** Whether the days of the product are over. */
  isTooLate: boolean;
}

const claimableStatement = `
  SELECT unit.family, unit.delivered_units AS "deliveredUnits", unit.is_delivered AS "isDelivered", unit.is_settled AS "isSettled",
         unit.is_too_late AS "isTooLate"
    FROM orders o CROSS JOIN LATERAL claimable_unit(o.id, $unit, $days) unit
   WHERE o.id = $orderId AND o.client_id = $clientId`;

/** What decides whether the unit of the client's order can be claimed, by `claimable_unit`. `days`: of a product without days of its own. */
export function readClaimable(database: Database, claimed: ClaimedUnit, days: number) {
  return oneRow<ClaimableUnit>(database, claimableStatement, { ...claimed, days });
}

const insertStatement = `
  INSERT INTO claims (client_id, order_id, unit, kind, sealed_text, due_at)
  SELECT client_id, id, $unit, $kind, $sealedText, now() + $dueDays * interval '1 day'
    FROM orders WHERE id = $orderId AND client_id = $clientId
  ON CONFLICT (order_id, unit) WHERE closed_at IS NULL DO NOTHING RETURNING id`;

/** Files a claim. Returns its id; undefined if the unit has an open one. */
export async function insertClaim(
  database: Database,
  claim: ClaimedUnit & { kind: ClaimKind; sealedText: Buffer; dueDays: number },
): Promise<number | undefined> {
  return (await firstRow<{ id: number }>(database, insertStatement, { ...claim }))?.id;
}

/** How a client of a sandbox decides its claim. */
export type SandboxDecision = 'refund' | 'reject';

/** Decides the client's claim as an operator would. Throws (`decisionRejection`) if the claim cannot be decided so. */
export async function decideSandboxClaim(
  database: Database,
  claim: { clientId: number; id: number; reasonCode: RefundReason },
  decision: SandboxDecision,
): Promise<void> {
  const statement = 'SELECT sandbox_decide_claim($clientId, $id, $decision, $reasonCode)';
  await rows(database, statement, { ...claim, decision });
}

/** Why the database rejected a decision, as a sentence; undefined for any other error. */
export const decisionRejection = (error: unknown) => raisedMessage(error, 'DGREF');
