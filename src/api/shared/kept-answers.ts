/**
 * Answers that many callers are given: serialised once and kept in memory until what they show has changed, with an
 * ETag for callers who keep them too. docs/specification.md#reference-data.
 */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { findPricingOverrides, type PricingOverrides } from '../../data/prices/pricing-settings';
import { MAX_UNHEARD_MS, type ChangeFeed } from '../../data/database/change-feed';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { VersionedCache } from '../../data/database/versioned-cache';
import { weightOfRows } from '../../domain/clients/rate-classes';
import { thenMaybe } from '../../async/promises';
import { clientOf } from '../middleware/authenticate';
import { chargeCall } from '../middleware/rate-limit';

/** Clients may keep the catalogue, and ask each time whether it is still so. */
export const CATALOGUE_CACHE_CONTROL = 'private, no-cache';

/** What a handler answers with: data that depends on the catalogue, what was asked and the client's own terms alone. */
export interface Content {
  data: object;
  headers?: Readonly<Record<string, string>>;
}

/** An answer as it is sent. */
export interface KeptAnswer {
  body: Buffer;
  /** Rows of a list; 0 of anything else. */
  rows: number;
  headers: Readonly<Record<string, string>>;
}

/** Clients whose terms are kept. */
const MOST_CLIENTS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** What an answer takes beside its body and its key, roughly. */
const OVERHEAD_BYTES = 1_000;
/** A character of a key. */
const CHARACTER_BYTES = 2;

export class KeptAnswers {
  private readonly answers: VersionedCache<KeptAnswer>;
  private readonly terms: VersionedCache<PricingOverrides>;
  /** Handlers made so far: the number of each is part of its keys. */
  private handlers = 0;

  constructor(
    private readonly database: Database,
    feed: Pick<ChangeFeed, 'version'>,
  ) {
    const version = () => feed.version('catalogue');
    const maxAgeMs = MAX_UNHEARD_MS;
    this.terms = new VersionedCache(version, { maxSize: MOST_CLIENTS, sizeOf: () => 1, maxAgeMs });
    this.answers = new VersionedCache(version, {
      maxAgeMs,
      maxSize: MOST_BYTES,
      sizeOf: ({ body }, key) => body.length + key.length * CHARACTER_BYTES + OVERHEAD_BYTES,
    });
  }

  /**
   * Answers with what `make` gives, or 304 where the caller holds it already. What it throws is not kept. `ask` validates
   * the request: what it returns is all that `make` knows of the request and, as JSON, the key. So two requests that ask
   * for the same share an answer, however they are written.
   */
  handler<Asked>(
    cacheControl: string,
    ask: (request: Request) => Asked,
    make: (asked: Asked, client: Client) => Promise<Content>,
  ): RequestHandler {
    const handler = this.handlers++;
    return (request, response) => {
      const client = clientOf(response);
      const asked = ask(request);
      const answerTo = (audience: string) =>
        this.answers.get(`${handler} ${audience} ${canonical(asked)}`, async () =>
          serialised(cacheControl, await make(asked, client)),
        );
      return thenMaybe(thenMaybe(this.audienceOf(client), answerTo), (kept) =>
        thenMaybe(chargeCall(response, weightOfRows(kept.rows)), () => sendKept(request, response, kept)),
      );
    };
  }

  /** Bytes that everything kept takes, at most 64 MiB. */
  get bytes(): number {
    return this.answers.size;
  }

  /** Whom the answers to the client are kept for: it alone, or all clients without terms of their own. */
  private audienceOf({ id }: Client): string | Promise<string> {
    const terms = this.terms.get(String(id), () => findPricingOverrides(this.database, id));
    return thenMaybe(terms, ({ areOwn }) => (areOwn ? String(id) : 'any'));
  }
}

/** The same text for the same values, in whatever order a request names them. */
function canonical(asked: unknown): string {
  const names = typeof asked === 'object' && asked !== null ? Object.keys(asked).sort() : null;
  return JSON.stringify(asked, names) ?? '';
}

/** The answer with the content, and an ETag of it. */
export function serialised(cacheControl: string, { data, headers }: Content): KeptAnswer {
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

/** Answers with what is kept, or 304 where the caller holds it already. */
export function sendKept(request: Request, response: Response, { headers, body }: KeptAnswer): void {
  response.set(headers);
  if (holds(request, headers['ETag'] ?? '')) response.status(304).end();
  else response.end(body);
}

/**
 * Whether the caller has what the tag stands for. Express would compare too, but not where the request says `Cache-Control: no-cache`, as every
 * `fetch` with an `If-None-Match` of its own does. That word is for caches on the way, not for us.
 */
export function holds(request: Request, etag: string): boolean {
  const held = request.get('if-none-match')?.split(',') ?? [];
  return held.map((tag) => tag.trim().replace(/^W\//, '')).some((tag) => tag === etag || tag === '*');
}
