/** What the lists of all three catalogues have in common. */
import { literal, Op, type Utils } from 'sequelize';
import type { Family } from '../../domain/orders/families';
import { notBlacklisted } from './visibility';

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
