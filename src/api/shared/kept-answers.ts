/**
 * Answers that many callers are given: serialised once and kept in memory until what they show has changed, with an
 * ETag for callers who keep them too. docs/specification.md#reference-data.
 */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { termsOf, type Terms } from '../../data/catalogue/own-terms';
import type { ChangeFeed } from '../../data/change-feed';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import { ReadCache } from '../../data/read-cache';
import { whenThere } from '../../domain/when-there';
import { clientOf } from '../middleware/authenticate';

/** Clients may keep the catalogue, and ask each time whether it is still so. */
export const CATALOGUE_CACHE_CONTROL = 'private, no-cache';

/** What a handler answers with: data that depends on the catalogue, the address and the client's own terms alone. */
export interface Content {
  data: object;
  headers?: Readonly<Record<string, string>>;
}

/** An answer as it is sent. */
export interface KeptAnswer {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** Clients whose terms are kept. */
const MOST_CLIENTS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** What an answer takes beside its body, roughly. */
const OVERHEAD_BYTES = 1_000;

export class KeptAnswers {
  private readonly answers: ReadCache<KeptAnswer>;
  private readonly terms: ReadCache<Terms>;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    this.terms = new ReadCache(feed, 'catalogue', { maxSize: MOST_CLIENTS, sizeOf: () => 1 });
    this.answers = new ReadCache(feed, 'catalogue', {
      maxSize: MOST_BYTES,
      sizeOf: ({ body }) => body.length + OVERHEAD_BYTES,
    });
  }

  /** Answers with what `make` gives, or 304 where the caller holds it already. What it throws is not kept. */
  handler(
    cacheControl: string,
    make: (request: Request, client: Client) => Promise<Content>,
  ): RequestHandler {
    return (request, response) => {
      const client = clientOf(response);
      const answerTo = (audience: string) =>
        this.answers.get(`${audience} ${request.originalUrl}`, async () =>
          serialised(cacheControl, await make(request, client)),
        );
      return whenThere(whenThere(this.audienceOf(client), answerTo), (kept) =>
        sendKept(request, response, kept),
      );
    };
  }

  /** Whom the answers to the client are kept for: it alone, or all clients without terms of their own. */
  private audienceOf({ id }: Client): string | Promise<string> {
    const terms = this.terms.get(String(id), () => termsOf(this.database, id));
    return whenThere(terms, ({ areOwn }) => (areOwn ? String(id) : 'any'));
  }
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
