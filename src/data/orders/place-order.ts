/** Placing: what decides whether a reserved create becomes an order, and makes it one. */
import { UniqueConstraintError } from 'sequelize';
import type { OrderKey, Placement, Refusal } from '../../domain/order-flow';
import { firstRow, type Database } from '../database';
import { readSql } from '../sql-files';
import { decidedIntake, type DecidedIntake } from './intakes';

const placeOrderStatement = readSql('orders/statements/place-order.sql');

const refuseStatement = `
UPDATE order_intakes SET state = 'REFUSED', refusal = $refusal, sealed_email = NULL, sealed_input = NULL
 WHERE order_id = $orderId AND state = 'RESERVED'`;

/** Places the order of an intake. Repeated, it finds what was decided before and changes nothing. */
export async function placeOrder(database: Database, { orderId, nonce }: OrderKey): Promise<Placement> {
  try {
    const decided = await firstRow<DecidedIntake>(database, placeOrderStatement, { orderId, nonce });
    if (decided) return placementOf(decided);
  } catch (error) {
    if (!isDuplicateReference(error)) throw error;
    await refuse(database, orderId, 'DUPLICATE_CLIENT_REFERENCE');
  }
  const earlier = await decidedIntake(database, orderId);
  return earlier ? placementOf(earlier) : { outcome: 'ABANDONED' };
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
