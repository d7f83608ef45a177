/** Conditions and pages of catalogue statements. */
import { literal, Op, type Utils } from 'sequelize';
import type { Family } from '../../domain/orders/families';
import { notStopped } from './sale-stop-conditions';

/** SQL condition: the product is not on the client's black-list. The arguments are SQL, never input. */
export function notBlacklisted(family: Family, clientId: string, productId: string): string {
  return `NOT EXISTS (SELECT FROM client_blacklist
    WHERE client_id = ${clientId} AND family = '${family}' AND product_id = ${productId})`;
}

/** One page of a list, and the number of rows of all pages. */
export interface PageOf<Row> {
  total: number;
  rows: Row[];
}

export interface PageRequest {
  limit: number;
  offset: number;
}

/** Condition for Sequelize: the product is active, not stopped and not on the client's black-list. `model`: the name of the model. */
export function visibleTo(
  clientId: number,
  family: Family,
  model: string,
): { active: true; [Op.and]: Utils.Literal[] } {
  const product = `"${model}".id`;
  return {
    active: true,
    [Op.and]: [literal(notBlacklisted(family, String(clientId), product)), literal(notStopped(family, product))],
  };
}

/** The pattern of `ILIKE` for values that contain the text. Imports store names in the Unicode form NFC. */
export function patternOf(text: string): string {
  return `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`;
}

/** Condition for Sequelize: the value contains the text, ignoring case. */
export function containing(text: string): { [Op.iLike]: string } {
  return { [Op.iLike]: patternOf(text) };
}
