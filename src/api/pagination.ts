/** Page numbers in, pagination headers out. Specification, "Endpoints". */
import type { Response } from 'express';
import type Joi from 'joi';
import { MAX_ID, queryInteger } from './validation';

interface PageLimits<SizeName extends string> {
  /** What the endpoint calls the page size. */
  sizeName: SizeName;
  defaultSize: number;
  maxSize: number;
}

/** The Joi keys `page` (from 1) and page size of a list's query. Page x size stays below 2^53. */
export function pageQuery<SizeName extends 'limit' | 'per_page'>({
  sizeName,
  defaultSize,
  maxSize,
}: PageLimits<SizeName>): Record<'page' | SizeName, Joi.Schema<number>> {
  const keys = {
    page: queryInteger(1, MAX_ID).default(1),
    [sizeName]: queryInteger(1, maxSize).default(defaultSize),
  };
  return keys as Record<'page' | SizeName, Joi.Schema<number>>;
}

export interface Page {
  page: number;
  /** The size asked for. */
  size: number;
  /** Items on all pages together. */
  total: number;
}

/** How many items come before the page. */
export function offsetOf({ page, size }: Pick<Page, 'page' | 'size'>): number {
  return (page - 1) * size;
}

/** Answers with the items of one page as an array, under the pagination headers. */
export function sendPage(response: Response, { page, size, total }: Page, items: readonly object[]): void {
  const pages = Math.ceil(total / size);
  response.set({
    'X-Page': String(page),
    'X-Per-Page': String(size),
    'X-Total-Count': String(total),
    'X-Total-Pages': String(pages),
    'X-Page-Size': String(items.length),
    'X-Has-More': String(page < pages),
  });
  response.json(items);
}
