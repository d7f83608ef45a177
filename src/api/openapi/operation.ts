/**
 * What the document tells of one operation. Each resource has an `operations.ts` beside its routes; how one is
 * written: docs/developers/api-reference.md.
 */
import type Joi from 'joi';
import type { ApiError } from '../../domain/errors';
import type { Feature } from '../../domain/orders/families';
import { keptHeaders, pageHeaders, type HeaderName } from './headers';
import { listOf, type Schema } from './schema';
import type { Tag } from './tags';

export interface Operation {
  /** `operationId`: what generated clients call it. */
  id: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** Whether the call carries an access token: all but the few that say otherwise. */
  access?: 'token' | 'open' | 'signature';
  /** What the client must be allowed. */
  feature?: Feature;
  /** What the parameters of the path are, by name. */
  path?: Readonly<Record<string, Schema>>;
  /** The schema that checks the query. */
  query?: Joi.ObjectSchema;
  /** Headers of the request beside the token. */
  headers?: Readonly<Record<string, Schema>>;
  body?: Body;
  /** What is answered where nothing is wrong, by status. */
  answers: Readonly<Record<number, Answer>>;
  /** What this operation refuses by itself; what surrounds it follows from the rest (`surroundings.ts`). */
  errors?: readonly ApiError[];
}

export interface Body {
  /** The schema that checks it; its messages are the operation's. */
  schema: Joi.ObjectSchema;
  /** Its name in the document. */
  title: string;
  example: object;
}

export interface Answer {
  description: string;
  /** Media type, schema and example; none where there is no body. */
  content?: { type: string; schema: Schema; example?: unknown };
  /** Headers of this answer beside those of all. */
  headers?: readonly HeaderName[];
}

/** By method and path, as `GET /api/v1/wallets/:id`. */
export type Operations = Readonly<Record<string, Operation>>;

/** An answer in JSON; its example is made from the schema's unless one is given. */
export function json(
  description: string,
  schema: Schema,
  extra: { headers?: readonly HeaderName[]; example?: unknown } = {},
): Answer {
  const { headers, example } = extra;
  return {
    description,
    content: { type: 'application/json', schema, ...(example !== undefined && { example }) },
    ...(headers && { headers }),
  };
}

/** One page of a list in JSON. */
export function page(description: string, items: Schema): Answer {
  return json(description, listOf(items), { headers: pageHeaders });
}

/** An answer that may be kept, and what is said where the caller holds it already. */
export function kept(
  description: string,
  schema: Schema,
  headers: readonly HeaderName[] = [],
): Operation['answers'] {
  return {
    200: json(description, schema, { headers: [...headers, ...keptHeaders] }),
    304: { description: 'What you hold is still so.', headers: [...headers, ...keptHeaders] },
  };
}

/** An answer in CSV, sent as a file. */
export function csv(description: string, example: string): Answer {
  return {
    description,
    content: { type: 'text/csv', schema: { type: 'string' }, example },
    headers: ['Content-Disposition'],
  };
}
