/** Fields that Reloadly's gift cards, operators and billers share. */
import Joi from 'joi';
import { MAX_ROWS, optionalText, readTexts, text } from '../kit/messages';

/** The id and the name of a row, read from the fields with these names. Undefined if the id or the name is missing. */
export function namedBy(idField: string, nameField: string, row: unknown): { id: string; name: string } | undefined {
  const { [idField]: id = '', [nameField]: name } = readTexts([idField, nameField], row) ?? {};
  return name !== undefined && /^\d{1,15}$/.test(id) ? { id, name } : undefined;
}

/** `ACTIVE` is the only known status. */
export const activeSchema = { status: optionalText };

export function isSwitchedOff({ status }: { status?: string }): boolean {
  return status !== undefined && status !== 'ACTIVE';
}

export const logoFields = { logoUrls: Joi.array().items(text).max(MAX_ROWS).empty(null).default([]) };

export function firstLogoOf({ logoUrls }: { logoUrls: string[] }): { imageUrl?: string } {
  const [imageUrl] = logoUrls;
  return imageUrl === undefined ? {} : { imageUrl };
}
