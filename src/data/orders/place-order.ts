/**
 * The placing transaction, as one statement: intake decided, voucher redeemed where one pays, wallet
 * debited, ledger entries and wallet events written, order and detail row inserted. All or nothing.
 *
 * A top-up or eSIM beyond the client's daily cap is placed too, but debits nothing and is not bought:
 * the contract shows it as a failed order.
 *
 * The order is cut into purchases no larger than its supplier takes, so that they are the same whoever
 * buys them, whenever. `purchaseReference` in src/domain/orders.ts makes the same references.
 *
 * One statement, because round trips while the wallet's row is held are what limits a busy wallet.
 * The intake is locked first and re-read under the lock, so an intake fenced off meanwhile places
 * nothing, however long the statement waited.
 */
import { UniqueConstraintError } from 'sequelize';
import type { OrderKey, Placement, Refusal } from '../../domain/order-flow';
import { firstRow, type Database } from '../database';
import { decidedIntake, decision, type DecidedIntake } from './intakes';

const placeOrderStatement = `
WITH intake AS (
  SELECT * FROM order_intakes
   WHERE order_id = $1 AND nonce = $2 AND state = 'RESERVED' AND accept_by >= clock_timestamp()
     FOR UPDATE
), draft AS MATERIALIZED (
  SELECT intake.*, d.*,
         exceeds_daily_cap(intake.client_id, intake.family, d.deduction_currency, intake.total_payable) AS over_cap
    FROM intake CROSS JOIN LATERAL jsonb_to_record(intake.details) AS d (
    product_id integer, product_name text, country_code text, supplier text, supplier_sku text,
    quantity integer, unit_amount numeric, amount numeric, discount numeric, base_currency text,
    deduction_currency text, forex_rate numeric, conversion_charges numeric,
    max_units integer, variant_id integer, variant_name text, data_amount_gb numeric, validity_days integer,
    redeems_order_id bigint, redeems_unit integer)
), funded AS MATERIALIZED (
  SELECT * FROM draft d
   WHERE CASE WHEN over_cap OR redeems_order_id IS NULL THEN true
              ELSE redeem_voucher(redeems_order_id, redeems_unit, order_id, wallet_id, clock_timestamp()) END
), entry AS (
  SELECT posted.* FROM (SELECT * FROM funded WHERE total_payable > 0 AND NOT over_cap) d
   CROSS JOIN LATERAL post_entry(d.wallet_id, 'ORDER', 'DEBIT', d.total_payable, d.order_id,
     'order-' || d.order_id, 'Order ' || d.order_id || ': ' || d.product_name,
     CASE WHEN d.forex_rate IS NOT NULL THEN d.base_currency END,
     CASE WHEN d.forex_rate IS NOT NULL THEN d.deduction_currency END,
     d.forex_rate, d.conversion_charges) posted
), placed AS (
  INSERT INTO orders (id, nonce, client_id, family, client_reference, product_id, product_name,
    country_code, supplier, supplier_sku, quantity, unit_amount, amount, discount, base_currency,
    wallet_id, deduction_currency, total_payable, forex_rate, transaction_id, failure_code, sealed_email,
    placed_at)
  SELECT d.order_id, d.nonce, d.client_id, d.family, d.client_reference, d.product_id, d.product_name,
    d.country_code, d.supplier, d.supplier_sku, d.quantity, d.unit_amount, d.amount, d.discount,
    d.base_currency, d.wallet_id, d.deduction_currency, d.total_payable, d.forex_rate, entry.id,
    CASE WHEN d.over_cap THEN 'CLIENT_LIMIT_EXCEEDED' END, d.sealed_email,
    coalesce(entry.created_at, next_moment(d.client_id))
    FROM funded d LEFT JOIN entry ON true
   WHERE CASE WHEN d.over_cap THEN d.family <> 'VOUCHER' ELSE entry.id IS NOT NULL OR d.total_payable = 0 END
  RETURNING id
), purchases AS (
  INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units)
  SELECT 'order-' || placed.id || '-' || d.nonce || '-' || lpad(cut.batch::text, 4, '0'), placed.id, cut.batch,
         (cut.batch - 1) * d.max_units + 1, least(d.max_units, d.quantity - (cut.batch - 1) * d.max_units)
    FROM draft d JOIN placed ON true
   CROSS JOIN LATERAL generate_series(1, (d.quantity + d.max_units - 1) / d.max_units) AS cut (batch)
   WHERE NOT d.over_cap
), topup AS (
  INSERT INTO topup_orders (order_id, variant_id, variant_name, sealed_input)
  SELECT placed.id, d.variant_id, d.variant_name, d.sealed_input
    FROM draft d JOIN placed ON true WHERE d.family = 'TOPUP'
), esim AS (
  INSERT INTO esim_orders (order_id, variant_id, data_amount_gb, validity_days)
  SELECT placed.id, d.variant_id, d.data_amount_gb, d.validity_days
    FROM draft d JOIN placed ON true WHERE d.family = 'ESIM'
)
UPDATE order_intakes SET
    state = CASE WHEN placed.id IS NULL THEN 'REFUSED' ELSE 'PLACED' END,
    refusal = CASE WHEN draft.over_cap THEN 'CLIENT_LIMIT_EXCEEDED'
                   WHEN placed.id IS NOT NULL THEN NULL
                   WHEN draft.redeems_order_id IS NOT NULL THEN 'VOUCHER_NOT_REDEEMABLE'
                   ELSE 'INSUFFICIENT_BALANCE' END,
    sealed_email = NULL, sealed_input = NULL
  FROM draft LEFT JOIN placed ON true
 WHERE order_intakes.order_id = draft.order_id
RETURNING ${decision}`;

const refuseStatement = `
UPDATE order_intakes SET state = 'REFUSED', refusal = $2, sealed_email = NULL, sealed_input = NULL
 WHERE order_id = $1 AND state = 'RESERVED'`;

/** Places the order of an intake. Repeated, it finds what was decided before and changes nothing. */
export async function placeOrder(database: Database, order: OrderKey): Promise<Placement> {
  try {
    const decided = await firstRow<DecidedIntake>(database, placeOrderStatement, [
      order.orderId,
      order.nonce,
    ]);
    if (decided) return placementOf(decided);
  } catch (error) {
    if (!isDuplicateReference(error)) throw error;
    await firstRow(database, refuseStatement, [
      order.orderId,
      'DUPLICATE_CLIENT_REFERENCE' satisfies Refusal,
    ]);
  }
  const earlier = await decidedIntake(database, order.orderId);
  return earlier ? placementOf(earlier) : { outcome: 'ABANDONED' };
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
