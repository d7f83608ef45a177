/**
 * SQL conditions about what operators have stopped selling. A stop of whole items is an obstacle of their sources (`source_states`,
 * `listed_sources`), so that every statement that asks a source whether it sells heeds it. docs/operators/stopped-sales.md.
 */
import type { Family } from '../../domain/orders/families';

// The arguments of these functions are SQL, never input.

/** A condition: no stop covers the whole product. */
export function notStopped(family: Family, product: string): string {
  return `NOT EXISTS (SELECT FROM stopped_products WHERE family = '${family}' AND product_id = ${product})`;
}

/** A condition: a stop covers the amount of the voucher product. A stop of the whole product does not count. */
export function isStoppedAmount(product: string, amount: string): string {
  return `EXISTS (SELECT FROM stopped_sales stop
    WHERE stop.product_id = ${product} AND stop.family = 'VOUCHER' AND ${amount} BETWEEN stop.min_amount AND stop.max_amount)`;
}

/** A condition: one stop covers every amount of the denomination, the name of a row of `voucher_denominations`. */
export function isStoppedDenomination(denomination: string): string {
  return `EXISTS (SELECT FROM stopped_sales stop
    WHERE stop.product_id = ${denomination}.product_id AND stop.family = 'VOUCHER'
      AND stop.min_amount <= ${denomination}.min_value AND stop.max_amount >= ${denomination}.max_value)`;
}

/** A condition: the voucher product has a denomination that is not stopped, or has none at all. */
export function hasDenominationOnSale(product: string): string {
  return `(NOT EXISTS (SELECT FROM stopped_sales stop
                        WHERE stop.product_id = ${product} AND stop.family = 'VOUCHER' AND stop.min_amount IS NOT NULL)
           OR EXISTS (SELECT FROM voucher_denominations denomination
                       WHERE denomination.product_id = ${product} AND NOT ${isStoppedDenomination('denomination')}))`;
}
