/** Page numbers in, pagination headers out. docs/specification.md#lists-and-pages. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import Joi from 'joi';
import type { PageSizes } from '../../domain/clients/page-sizes';
import { weightOfRows } from '../../domain/clients/call-weights';
import { addWeight } from '../rate-limits/rate-limiter';
import type { Content } from './response-cache';
import { MAX_ID, queryInteger } from './validation';

export interface PageQuery {
  /** From 1. */
  page: number;
  size: number;
}

/**
 * The query of a list: the page and the filters. Clients name the size `per_page` or `limit`; different values are invalid, so the
 * OpenAPI document has one of the names: generated clients send every parameter that it lists. The maximums keep page x size below
 * 2^53, so that the offset is exact. docs/specification.md#lists-and-pages.
 */
export function listQuery<Filter = object>(
  { name, defaultSize, maxSize }: PageSizes,
  filters: Joi.SchemaMap = {},
): Joi.ObjectSchema<PageQuery & Filter> {
  const size = queryInteger(1, maxSize);
  const otherName = name === 'limit' ? 'per_page' : 'limit';
  return Joi.object<PageQuery & Filter, false, RequestedPage>({
    page: queryInteger(1, MAX_ID)
      .default(1)
      .meta({ schema: { default: 1 } })
      .description('The page number, from 1.'),
    [name]: size
      .meta({ schema: { default: defaultSize } })
      .description(`Items per page. Default: ${defaultSize}. The list also calls it \`${otherName}\`.`),
    [otherName]: size.meta({ isAlias: true }),
    ...filters,
  }).custom(({ per_page, limit, ...query }: RequestedPage, helpers) => {
    if (per_page !== undefined && limit !== undefined && per_page !== limit) return helpers.error('any.invalid');
    return { ...query, size: per_page ?? limit ?? defaultSize };
  });
}

/** The query parameters of the page, before `per_page` and `limit` become `size`. */
interface RequestedPage {
  page: number;
  per_page?: number;
  limit?: number;
}

export interface PageWithTotal extends PageQuery {
  /** Items on all pages together. */
  total: number;
}

/** The items beyond a position, which have no page number. */
interface PartWithTotal extends Omit<PageWithTotal, 'page'> {
  hasMore: boolean;
}

type SentPart = PageWithTotal | PartWithTotal;

/** The position of the page's rows among all matching rows. */
export function rowsOf({ page, size }: PageQuery): { offset: number; limit: number } {
  return { offset: (page - 1) * size, limit: size };
}

/** The items of one page as an array, under the pagination headers. */
export function pageContent(page: PageWithTotal, items: readonly object[]): Content {
  return { data: items, headers: headersOf(page, items.length) };
}

export function sendPage(response: Response, page: PageWithTotal, items: readonly object[]): void {
  response.set(headersOf(page, items.length)).json(items);
}

/** Rows serialised in one turn of the event loop, so that a page of 10,000 does not delay other requests. */
const ROWS_PER_TURN = 250;

/** The JSON of rows, serialised a few at a time. */
export class JsonRows<Row> {
  count = 0;
  private readonly parts: Buffer[] = [];

  constructor(private readonly view: (row: Row) => object) {}

  async add(rows: readonly Row[]): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_PER_TURN) {
      if (this.count > 0) await nextTurn();
      const texts = rows.slice(start, start + ROWS_PER_TURN).map((row) => JSON.stringify(this.view(row)));
      this.parts.push(Buffer.from(`${this.count > 0 ? ',' : ''}${texts.join(',')}`));
      this.count += texts.length;
    }
  }

  body(): Buffer {
    return Buffer.concat([Buffer.from('['), ...this.parts, Buffer.from(']')]);
  }
}

/** `sendPage` for parts that may be large: serialises a few rows at a time, and adds the weight of all rows to the call. */
export async function sendRows<Row>(
  response: Response,
  part: SentPart,
  rows: readonly Row[],
  view: (row: Row) => object,
): Promise<void> {
  const json = new JsonRows(view);
  // Serialises all rows before the response begins, so that an error of `view` still gets an error response.
  await json.add(rows);
  await sendJsonRows(response, part, json);
}

/** Sends the serialised rows under the pagination headers, and adds their weight to the call. */
export async function sendJsonRows<Row>(response: Response, part: SentPart, rows: JsonRows<Row>): Promise<void> {
  await addWeight(response, weightOfRows(rows.count));
  response.set(headersOf(part, rows.count));
  response.type('json').send(rows.body());
}

function headersOf(part: SentPart, items: number): Record<string, string> {
  const { size, total } = part;
  const counts = { 'X-Per-Page': String(size), 'X-Total-Count': String(total), 'X-Page-Size': String(items) };
  if ('hasMore' in part) return { ...counts, 'X-Has-More': String(part.hasMore) };
  const pages = Math.ceil(total / size);
  return {
    ...counts,
    'X-Page': String(part.page),
    'X-Total-Pages': String(pages),
    'X-Has-More': String(part.page < pages),
  };
}
