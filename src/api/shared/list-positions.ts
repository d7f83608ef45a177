/** `before_id` and `after_id`: the part of a list beyond one of its rows. docs/specification.md#lists-and-pages. */
import type { Request, Response } from 'express';
import Joi from 'joi';
import type { ListPage, ListPosition, RowsBeyond } from '../../data/database/slices';
import { errors, type ApiError } from '../../domain/errors';
import { namesOf } from '../../domain/records';
import type { Schema } from '../openapi/schema';
import { schedulePage } from './large-reads';
import { rowsOf, sendRows, type PageQuery } from './pagination';
import { MAX_ID, queryId, validQuery } from './validation';

const directions = { before_id: 'older', after_id: 'newer' } as const;
type PositionName = keyof typeof directions;
const positionNames = namesOf(directions);

/** The positions that a query names. Null stands for a text that is no id. */
export type PositionQuery<Id = number> = { [Name in PositionName]?: Id | null };

/** A query parameter that names a row. It accepts every text, because the list rejects all ids that it does not know alike. */
export function positionParameter(
  id: Joi.Schema,
  schema: Schema,
  description: string,
): Joi.Schema<string | number | null> {
  return Joi.any()
    .custom((text: unknown, helpers) => {
      if (text === null) return helpers.error('any.invalid');
      const checked: Joi.ValidationResult<unknown> = id.validate(text);
      return checked.error ? null : checked.value;
    })
    .meta({ schema })
    .description(description);
}

const idSchema: Schema = { type: 'integer', minimum: 1, maximum: MAX_ID };

/** The parameters of a list that is read in both directions. */
export const bothPositions = {
  before_id: positionParameter(
    queryId,
    idSchema,
    'Only rows that are older than the row with this id, which need not match the filters. Not together with `after_id` or with another page than 1.',
  ),
  after_id: positionParameter(
    queryId,
    idSchema,
    'Only rows that are newer than the row with this id: those that are nearest to it, the newest of them first.',
  ),
} satisfies Joi.SchemaMap;

/** The errors of the parameters, for the OpenAPI document. */
export function positionErrors(names: readonly PositionName[] = positionNames): ApiError[] {
  const [first, second] = names;
  return [
    ...names.flatMap((name) => [notKnown(name), exclusive('page', name)]),
    ...(first && second ? [exclusive(first, second)] : []),
  ];
}

const notKnown = (name: PositionName) => errors.validation(`${name} is not known`, name);
const exclusive = (one: string, other: string) => errors.validation(`${one} and ${other} exclude each other`);

/** `validQuery` of a list with positions, for which every text of theirs is valid. */
export function validListQuery<T>(schema: Joi.ObjectSchema<T>, request: Request): T {
  return validQuery(schema, request, positionNames);
}

/** A list that is read by pages and by positions. */
export interface ReadableList<Row, Id = number> {
  page: (slice: { offset: number; limit: number }) => Promise<ListPage<Row>>;
  /** Undefined if the list has no such position. */
  beyond: (position: ListPosition<Id>, limit: number) => Promise<RowsBeyond<Row> | undefined>;
}

/** Sends the page of the list, or its rows beyond the position. Throws 400 if the query names both, or an unknown position. */
export async function sendList<Row, Id>(
  response: Response,
  query: PageQuery & PositionQuery<Id>,
  list: ReadableList<Row, Id>,
  view: (row: Row) => object,
): Promise<void> {
  const { page, size } = query;
  const name = positionOf(query);
  const slice = name === undefined ? rowsOf(query) : { offset: 0, limit: size };
  await schedulePage(response, slice, async () => {
    if (name === undefined) {
      const { total, rows } = await list.page(slice);
      return sendRows(response, { page, size, total }, rows, view);
    }
    const id = query[name] ?? undefined;
    const part = id === undefined ? undefined : await list.beyond({ id, direction: directions[name] }, size);
    if (!part) throw notKnown(name);
    const { rows, ...found } = part;
    return sendRows(response, { size, ...found }, rows, view);
  });
}

/** The name of the query's position. Throws 400 if the query has a page or another position, too. */
function positionOf(query: PageQuery & PositionQuery<unknown>): PositionName | undefined {
  const [name, other] = positionNames.filter((each) => query[each] !== undefined);
  if (name !== undefined && query.page !== 1) throw exclusive('page', name);
  if (name !== undefined && other !== undefined) throw exclusive(name, other);
  return name;
}
