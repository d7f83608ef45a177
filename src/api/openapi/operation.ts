/** The part of a route that the OpenAPI document describes. docs/developers/api-reference.md. */
import type Joi from 'joi';
import type { ApiError } from '../../domain/errors';
import type { Scope } from '../../domain/clients/scopes';
import type { Feature } from '../../domain/orders/families';
import { cacheHeaders, paginationHeaders, type HeaderName } from './headers';
import { listOf, type Schema } from './schema';

export interface ApiOperation {
  /** The `operationId`: its name in generated clients. */
  id: string;
  tag: Tag;
  summary: string;
  description?: string | undefined;
  /** How the caller authenticates. Default: by access token. */
  access?: 'token' | 'open' | 'signature';
  /** The scope that the API key needs. Without it, the operation returns 403. `none`: no scope, or no token at all. */
  scope: Scope | 'none';
  /** The feature that the client needs. Without it, the operation returns 400 INVALID_FEATURE. */
  feature?: Feature;
  /** Set if clients may call the operation after their access has ended, as they may call every GET. */
  allowsEndedAccess?: true;
  /** By parameter of the path. */
  path?: Readonly<Record<string, Schema>>;
  query?: Joi.ObjectSchema;
  /** Headers of the request besides the token. */
  headers?: Readonly<Record<string, Schema>>;
  body?: Body;
  /** What the service later sends to the `url` of the body. */
  sends?: Schema;
  /** Successful responses by status. */
  responses: Readonly<Record<number, SuccessResponse>>;
  /** Besides those that many operations share (`error-responses.ts`). */
  errors?: readonly ApiError[];
}

export interface Body {
  /** Validates the body. Its messages become errors of the operation. */
  schema: Joi.ObjectSchema;
  /** Its name in the document. */
  title: string;
  /** Whether the request may omit the body. */
  isOptional?: boolean;
}

export interface SuccessResponse {
  description: string;
  /** Media type, schema and example; omitted without a body. */
  content?: { type: string; schema: Schema; example?: unknown };
  /** Headers of this response besides the common ones. */
  headers?: readonly HeaderName[];
}

/** By method and path, such as `GET /api/v1/wallets/:id`. */
export type Operations = Readonly<Record<string, ApiOperation>>;

/** A JSON response. By default its example is built from its schema. */
export function json(
  description: string,
  schema: Schema,
  extra: { headers?: readonly HeaderName[]; example?: unknown } = {},
): SuccessResponse {
  const { headers, example } = extra;
  return {
    description,
    content: { type: 'application/json', schema, ...(example !== undefined && { example }) },
    ...(headers && { headers }),
  };
}

/** One page of a list in JSON. */
export function page(description: string, items: Schema): SuccessResponse {
  return json(description, listOf(items), { headers: paginationHeaders });
}

/** A cacheable response, and its 304. `headers`: those of a page. */
export function cacheable(
  description: string,
  schema: Schema,
  headers: readonly HeaderName[] = [],
): ApiOperation['responses'] {
  return {
    200: json(description, schema, { headers: [...headers, ...cacheHeaders] }),
    304: {
      description: `The cached ${headers.length > 0 ? 'page' : 'copy'} is current.`,
      headers: [...headers, ...cacheHeaders],
    },
  };
}

export function csv(description: string): SuccessResponse {
  return {
    description,
    content: { type: 'text/csv', schema: { type: 'string', examples: [''] } },
    headers: ['Content-Disposition'],
  };
}

/** The families in summaries, by the noun in the ids of their operations. */
export const familyInWords = {
  Voucher: { name: 'voucher', one: 'a voucher' },
  Topup: { name: 'top-up', one: 'a top-up' },
  Esim: { name: 'eSIM', one: 'an eSIM' },
} as const;

/** The parts of the documents, in their order. */
export const tags = {
  Authentication: 'Log in with your API key and secret, and refresh the tokens.',
  Vouchers: 'Gift cards: codes, PINs and claim URLs, up to 5,000 in an order.',
  'Top-ups': 'Game top-ups, mobile recharges and utility bills.',
  eSIM: 'Data plans as activation codes.',
  'Price list': 'Every price that you can order now.',
  Claims: 'Your reports of goods that are invalid, missing or wrong, and what we decided.',
  Wallets: 'The prepaid balances that pay for your orders.',
  Transactions: 'Every movement of money in your wallets.',
  'Keys and access': 'Your API keys, the networks from which you order, and the activity of your account.',
  'Reference data': 'Countries, currencies, categories.',
  Statements: 'The entries of a wallet, or your orders, of a period as CSV.',
  Sandbox: 'Control test data in a sandbox. Production has none of these operations.',
  'Webhook endpoints': 'The URLs that receive your events, and their signing secrets.',
  'Webhook events': 'The log of your events.',
  Reference: 'This document.',
  Probes: 'For load balancers.',
  Suppliers: 'Callbacks from suppliers.',
} as const;

type Tag = keyof typeof tags;

/** The parts of the document for operators. Clients do not call these operations. */
const operatorTags: readonly Tag[] = ['Probes', 'Suppliers'];

export const isForOperators = ({ tag }: Pick<ApiOperation, 'tag'>): boolean => operatorTags.includes(tag);
