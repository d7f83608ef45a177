/** Conditions and orders in SQL that several catalogue statements share. Arguments are SQL, never input. */
import type { Family } from '../../domain/orders/families';

/** Holds for products that are not on the client's black-list. */
export function notBlacklisted(family: Family, clientId: string, productId: string): string {
  return `NOT EXISTS (SELECT FROM client_blacklist
    WHERE client_id = ${clientId} AND family = '${family}' AND product_id = ${productId})`;
}

/** Holds where the supplier has some left or does not count its stock. */
export function inStock(table: string): string {
  return `(${table}.stock IS NULL OR ${table}.stock > 0)`;
}

/** Sorts the fulfilment paths of one top-up sku: the cheaper first, then the one with more stock. */
export function bestPathFirst(variant: string): string {
  return `${variant}.cost_factor, ${variant}.stock DESC NULLS FIRST, ${variant}.id`;
}
