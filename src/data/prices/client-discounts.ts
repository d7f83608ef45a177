/** Discounts that operators grant single clients. */
import type Decimal from 'decimal.js';
import { Exact } from '../../domain/prices/money';
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';

const discountsOfClient = `
  SELECT product_id, discount_percent FROM client_discounts
   WHERE client_id = $clientId AND family = $family AND product_id = ANY ($productIds)`;

/** The client's own discounts in percent, by product; products without one are missing. */
export async function clientDiscounts(
  database: Database,
  clientId: number,
  family: Family,
  productIds: number[],
): Promise<ReadonlyMap<number, Decimal>> {
  const found = await rows<{ product_id: number; discount_percent: string }>(database, discountsOfClient, {
    clientId,
    family,
    productIds,
  });
  return new Map(found.map((row) => [row.product_id, new Exact(row.discount_percent)]));
}
