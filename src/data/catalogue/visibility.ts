/** Conditions, orders and pages that several catalogue statements share. */
import { literal, Op, type Utils } from 'sequelize';
import type { Family } from '../../domain/orders/families';

// The arguments of the next three are SQL, never input.

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

/** One page of a list, and how many rows all pages hold together. */
export interface PageOf<Row> {
  total: number;
  rows: Row[];
}

export interface PageRequest {
  limit: number;
  offset: number;
}

/** Products of the model that are active and not black-listed for the client. */
export function visibleTo(
  clientId: number,
  family: Family,
  model: string,
): { active: true; [Op.and]: Utils.Literal[] } {
  return { active: true, [Op.and]: [literal(notBlacklisted(family, String(clientId), `"${model}".id`))] };
}

/** Holds for names that contain the text, whatever its case. */
export function containing(text: string): { [Op.iLike]: string } {
  return { [Op.iLike]: `%${text.replace(/[\\%_]/g, '\\$&')}%` };
}
