/** Countries, currencies, categories and subcategories. docs/specification.md#reference-data. */
import { createHash } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Database } from '../../data/database';
import {
  findCategory,
  findCountry,
  findSubcategory,
  listCategories,
  listCountries,
  listCurrencies,
  listSubcategories,
} from '../../data/reference';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { requireFeature } from '../middleware/require-feature';
import { boundedPathId, pathId } from '../shared/validation';

/** GET /countries, /currencies, /categories, /subcategories and, except of currencies, one by its id. */
export function referenceRoutes({ database }: Dependencies): Router {
  const vouchers = requireFeature('vouchers');
  return Router()
    .get('/countries', all(database, listCountries))
    .get('/countries/:id', one(database, 'Country', findCountry, boundedPathId))
    .get('/currencies', all(database, listCurrencies))
    .get('/categories', vouchers, all(database, listCategories))
    .get('/categories/:id', vouchers, one(database, 'Category', findCategory))
    .get('/subcategories', vouchers, all(database, listSubcategories))
    .get('/subcategories/:id', vouchers, one(database, 'Subcategory', findSubcategory));
}

function all(database: Database, list: (database: Database) => Promise<object[]>): RequestHandler {
  return async (request, response) => sendReference(request, response, await list(database));
}

function one(
  database: Database,
  what: string,
  find: (database: Database, id: number) => Promise<object | undefined>,
  idIn: typeof pathId = pathId,
): RequestHandler {
  return async (request, response) => {
    const id = idIn(request.params['id'], () => errors.badRequest(`Invalid ${what.toLowerCase()} ID`));
    const item = await find(database, id);
    if (!item) throw errors.notFound(what);
    sendReference(request, response, item);
  };
}

/** Sends data that may be kept for a day, or 304 where the caller holds it already (`If-None-Match`). */
function sendReference(request: Request, response: Response, data: object): void {
  const etag = `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url')}"`;
  response.set({ 'Cache-Control': 'max-age=86400, stale-while-revalidate=600', ETag: etag });
  if (holds(request, etag)) response.status(304).end();
  else response.json(data);
}

/**
 * Express would compare too, but not where the request says `Cache-Control: no-cache`, as every
 * `fetch` with an `If-None-Match` of its own does. That word is for caches on the way, not for us.
 */
function holds(request: Request, etag: string): boolean {
  const held = request.get('if-none-match')?.split(',') ?? [];
  return held.map((tag) => tag.trim().replace(/^W\//, '')).some((tag) => tag === etag || tag === '*');
}
