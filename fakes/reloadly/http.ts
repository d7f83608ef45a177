/** Request validation and paging, which all hosts share. */
import Joi from 'joi';
import { validation, type Validate } from '../kit/requests';
import { BareNumber } from '../kit/responses';
import { ApiError } from './errors';

const checked = (options: Joi.ValidationOptions): Validate =>
  validation(
    ([first]) => new ApiError(400, 'INVALID_INPUT_PROVIDED', `${first?.message ?? 'The request is invalid'}.`),
    options,
  );

/** Returns the JSON body as the schema describes it, without conversions. Throws a 400 otherwise. */
export const bodyOf = checked({ convert: false, allowUnknown: true });

/** Returns the known query parameters. Ignores unknown ones. Throws a 400 for a wrong value. */
export const queryOf = checked({ stripUnknown: true });

export interface PageQuery {
  page: number;
  size: number;
}

/** Pages count from 1. The default size is not known, so it is small: a buyer that reads only one page misses rows. */
export const pageFields = {
  page: Joi.number().integer().min(1).default(1),
  size: Joi.number().integer().min(1).default(10),
};

/** The largest page of products. Reloadly documents it for gift cards only. */
export const listCap = 200;

/** A query parameter for which an empty text counts as absent. */
export const textParameter = Joi.string().empty('');

/** One page of rows. A size above `cap` becomes `cap`, which the response's `size` shows. */
export function pageOf(rows: readonly object[], { page, size }: PageQuery, cap: number): object {
  const used = Math.min(size, cap);
  const totalPages = Math.ceil(rows.length / used);
  return {
    content: rows.slice((page - 1) * used, page * used),
    totalElements: rows.length,
    totalPages,
    last: page >= totalPages,
    number: page,
    size: used,
  };
}

/**
 * Digits as text, or in the mode `numbers` as a JSON number. Digits with a leading zero stay text, because JSON has
 * no such number.
 */
export function digitsOf(text: string, numbers: boolean | undefined): string | BareNumber {
  return numbers && /^[1-9]\d*$/.test(text) ? new BareNumber(text) : text;
}

/** Our reference of a purchase in a response. */
export function viewReference(reference: string | undefined, numbers: boolean | undefined) {
  return reference === undefined ? null : digitsOf(reference, numbers);
}
