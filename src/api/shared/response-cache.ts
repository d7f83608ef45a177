/**
 * Responses that many clients share. They are serialised once and stay in memory until their data changes. An ETag
 * lets clients cache them, too. docs/specification.md#reference-data.
 */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { thenMaybe } from '../../async/promises';
import type { Client } from '../../data/clients/clients';
import { MAX_STALE_MS, type ChangeFeed } from '../../data/database/change-feed';
import type { Database } from '../../data/database/database';
import { VersionedCache } from '../../data/database/versioned-cache';
import { findPricingAudience, type PricingAudience } from '../../data/prices/pricing-audience';
import { weightOfRows } from '../../domain/clients/call-weights';
import { clientHolds } from '../../http/conditional-requests';
import { clientOf } from '../middleware/caller';
import { addWeight } from '../rate-limits/rate-limiter';
import { originOf } from '../server/origin';
import { canonicalJson } from './canonical-json';

/** Clients may cache the catalogue, and must revalidate it each time. */
export const CATALOGUE_CACHE_CONTROL = 'private, no-cache';

/** A response before it is serialised. Depends only on the catalogue, the input, the client's pricing and the origin of the request. */
export interface Content {
  data: object;
  headers?: Readonly<Record<string, string>>;
}

export interface CachedResponse {
  body: Buffer;
  /** The number of rows of a list; 0 for anything else. */
  rows: number;
  headers: Readonly<Record<string, string>>;
}

/** The maximum number of clients whose pricing is cached. */
const MAX_CLIENTS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Approximate memory of an entry besides its body and its key. */
const OVERHEAD_BYTES = 1_000;
/** Memory of one character of a key. */
const CHARACTER_BYTES = 2;

/** URLs of one handler whose validated input is cached. This saves a third of the CPU of a cached list. */
const MAX_URLS = 500;
const MAX_URL_LENGTH = 250;

export class ResponseCache {
  private readonly responses: VersionedCache<CachedResponse>;
  private readonly pricing: VersionedCache<PricingAudience>;
  /** The number of handlers. Each one has its own number in its keys. */
  private handlers = 0;

  constructor(
    private readonly database: Database,
    feed: Pick<ChangeFeed, 'version'>,
  ) {
    const version = () => feed.version('catalogue');
    const maxAgeMs = MAX_STALE_MS;
    this.pricing = new VersionedCache(version, { maxSize: MAX_CLIENTS, sizeOf: () => 1, maxAgeMs });
    this.responses = new VersionedCache(version, {
      maxAgeMs,
      maxSize: MAX_BYTES,
      sizeOf: ({ body }, key) => body.length + key.length * CHARACTER_BYTES + OVERHEAD_BYTES,
    });
  }

  /**
   * A handler that responds with the content, or 304 if the client has it already. Errors are not cached. `inputOf` validates
   * path and query. Its result and the origin are the key of the cached response, so the content must depend on no other part of
   * the request. The origin is empty if the request names no host.
   */
  handler<Input>(
    cacheControl: string,
    inputOf: (request: Request) => Input,
    contentOf: (input: Input, client: Client, origin: string) => Promise<Content>,
  ): RequestHandler {
    const readInput = this.inputReader(inputOf);
    return (request, response) => {
      const client = clientOf(response);
      const { input, key } = readInput(request);
      const origin = originOf(request) ?? '';
      const responseTo = (audience: string) =>
        this.responses.get(`${audience}/${origin} ${key}`, async () =>
          cachedResponse(cacheControl, await contentOf(input, client, origin)),
        );
      const maybeCached = thenMaybe(this.audienceOf(client), responseTo);
      return thenMaybe(maybeCached, (cached) =>
        thenMaybe(addWeight(response, weightOfRows(cached.rows)), () => sendCached(request, response, cached)),
      );
    };
  }

  /** Returns a function that validates a request, or returns the cached result for the same URL. */
  private inputReader<Input>(
    inputOf: (request: Request) => Input,
  ): (request: Request) => { input: Input; key: string } {
    const handler = this.handlers++;
    const inputs = new LRUCache<string, { input: Input; key: string }>({ max: MAX_URLS });
    return (request) => {
      const url = request.originalUrl;
      const cached = inputs.get(url);
      if (cached) return cached;
      const input = inputOf(request);
      const entry = { input, key: `${handler} ${canonicalJson(input)}` };
      if (url.length <= MAX_URL_LENGTH) inputs.set(url, entry);
      return entry;
    };
  }

  /** Bytes of all entries, at most 64 MiB. */
  get bytes(): number {
    return this.responses.size;
  }

  /** The name of the clients that share a response. */
  private audienceOf({ id }: Client): string | Promise<string> {
    const audience = this.pricing.get(String(id), () => findPricingAudience(this.database, id));
    return thenMaybe(audience, ({ name }) => name);
  }
}

/** Serialises the content, and adds its ETag. */
export function cachedResponse(cacheControl: string, { data, headers }: Content): CachedResponse {
  const body = Buffer.from(JSON.stringify(data));
  const tag = createHash('sha256')
    .update(JSON.stringify(headers ?? {}))
    .update(body)
    .digest('base64url');
  return {
    body,
    rows: Array.isArray(data) ? data.length : 0,
    headers: {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': cacheControl,
      ETag: `"${tag}"`,
    },
  };
}

/** Sends the response, or 304 if the client has it already. */
export function sendCached(request: Request, response: Response, { headers, body }: CachedResponse): void {
  response.set(headers);
  if (clientHolds(request, headers['ETag'] ?? '')) response.status(304).end();
  else response.end(body);
}
