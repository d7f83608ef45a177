/** Placing: what decides whether a reserved create becomes an order, and makes it one. */
import { UniqueConstraintError } from 'sequelize';
import type { OrderKey, Placement, Refusal } from '../../domain/order-flow';
import { firstRow, type Database } from '../database';
import { readSql } from '../sql-files';
import { decidedIntake, type DecidedIntake, type IntakeState } from './intakes';
import type { ClaimedPurchase } from './purchases';

const statement = readSql('orders/statements/place-order.sql');

/**
 * Whether it claims is written into the text. As a value it would have PostgreSQL plan the statement for each order anew, 1.2 ms
 * instead of 0.2.
 */
const placeStatement = statement.replaceAll('$claims', 'false');
const placeAndClaimStatement = statement.replaceAll('$claims', 'true');

const refuseStatement = `
UPDATE order_intakes SET state = 'REFUSED', refusal = $refusal, sealed_email = NULL, sealed_input = NULL
 WHERE order_id = $orderId AND state = 'RESERVED'`;

/** How an order was placed, with its first purchase where that was claimed with it. */
export interface Placed {
  placement: Placement;
  claimed?: ClaimedPurchase;
}

/** The row of the statement: the purchase's columns are null where none was claimed. */
type PlacedRow = Pick<DecidedIntake, 'refusal' | 'quantity'> & { intakeState: IntakeState } & (
    ClaimedPurchase | Record<keyof ClaimedPurchase, null>
  );

/** Places the order of an intake. Repeated, it finds what was decided before and changes nothing. */
export async function placeOrder(database: Database, order: OrderKey): Promise<Placement> {
  return (await place(database, order, placeStatement)).placement;
}

/**
 * Places the order and claims its first purchase: from here on that may have happened, as after `claimNextPurchase`.
 * Repeated, nothing is claimed.
 */
export async function placeAndClaim(database: Database, order: OrderKey): Promise<Placed> {
  return place(database, order, placeAndClaimStatement);
}

async function place(database: Database, { orderId, nonce }: OrderKey, sql: string): Promise<Placed> {
  try {
    const row = await firstRow<PlacedRow>(database, sql, { orderId, nonce });
    if (row) return placedBy(row);
  } catch (error) {
    if (!isDuplicateReference(error)) throw error;
    await refuse(database, orderId, 'DUPLICATE_CLIENT_REFERENCE');
  }
  const earlier = await decidedIntake(database, orderId);
  return { placement: earlier ? placementOf(earlier) : { outcome: 'ABANDONED' } };
}

function placedBy({ intakeState, refusal, quantity, ...purchase }: PlacedRow): Placed {
  const placement = placementOf({ state: intakeState, refusal, quantity });
  return isClaimed(purchase) ? { placement, claimed: purchase } : { placement };
}

function isClaimed(
  purchase: ClaimedPurchase | Record<keyof ClaimedPurchase, null>,
): purchase is ClaimedPurchase {
  return purchase.reference !== null;
}

async function refuse(database: Database, orderId: number, refusal: Refusal): Promise<void> {
  await firstRow(database, refuseStatement, { orderId, refusal });
}

function placementOf(intake: DecidedIntake): Placement {
  const { quantity } = intake;
  if (intake.state === 'PLACED') {
    return { outcome: 'PLACED', units: quantity, toBuy: intake.refusal === null ? quantity : 0 };
  }
  if (intake.state === 'REFUSED') return { outcome: 'REFUSED', refusal: intake.refusal as Refusal };
  return { outcome: 'ABANDONED' };
}

function isDuplicateReference(error: unknown): boolean {
  return error instanceof UniqueConstraintError && error.parent.message.includes('orders_client_reference');
}
