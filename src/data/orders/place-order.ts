/** Placing: what decides whether a reserved create becomes an order, and makes it one. */
import pg from 'pg';
import { DatabaseError, UniqueConstraintError } from 'sequelize';
import { isAccessRefusal } from '../../domain/errors';
import type { OrderKey, Placement, Refusal } from '../../domain/orders/order-flow';
import { firstRow, type Database } from '../database/database';
import { readSql } from '../database/statement-text';
import { decidedIntake, type DecidedIntake, type IntakeState } from './order-reservations';
import type { ClaimedPurchase } from '../purchases/purchases';

const statement = readSql('orders/statements/place-order.sql');

/**
 * Whether it claims is written into the text. As a value it would have PostgreSQL plan the statement for each order anew, 1.2 ms
 * instead of 0.2.
 */
const placeStatement = statement.replaceAll('$claims', 'false');
const placeAndClaimStatement = statement.replaceAll('$claims', 'true');

/** SQLSTATE of `require_access`; the message is the refusal. */
const ACCESS_REFUSED = 'DG403';

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
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    await refuse(database, orderId, refusal);
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

/** The refusal that took the statement back; undefined for any other error. */
function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof UniqueConstraintError) {
    const isReference = error.parent.message.includes('orders_client_reference');
    return isReference ? 'DUPLICATE_CLIENT_REFERENCE' : undefined;
  }
  const parent = error instanceof DatabaseError ? error.parent : undefined;
  const isRefused = parent instanceof pg.DatabaseError && parent.code === ACCESS_REFUSED;
  return isRefused && isAccessRefusal(parent.message) ? parent.message : undefined;
}
