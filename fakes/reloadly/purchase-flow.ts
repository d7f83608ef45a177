/** The steps of a purchase, which all products share: modes, identifier, debit, state, response. */
import type { Response } from 'express';
import { sendPurchase, sentGatewayPage } from '../kit/responses';
import { pause } from '../kit/times';
import { apiError, errorBody, rejectionOf, type ApiError } from './errors';
import { statusWordOf, type Draft, type Outcome, type Shop, type Transaction } from './transactions';

/** The time from the check of an identifier to its use. Concurrent requests within this time all buy. */
const checkGapMs = 25;
/** The shortest time from the response of an asynchronous purchase to its final state. */
const shortestWorkMs = 50;
/** The time by which an early webhook precedes the response. */
const earlyLeadMs = 100;

export interface PurchaseCall<Details> {
  readonly sku: string;
  readonly duplicateCode: string;
  /** When the final state comes: with the response unless `takes_ms` is set, or always after it. */
  readonly ends: 'with-response' | 'after-response';
  /** The rejection of a product that is no longer sold (mode `vanished`). */
  readonly gone: () => ApiError;
  /** Checks and prices the request, or throws. */
  readonly draft: () => Draft<Details>;
  /** Throws if a limit of the supplier forbids the purchase. The limit counts earlier purchases. */
  readonly limits?: (draft: Draft<Details>) => void;
  /** The body of the response. */
  readonly view: (transaction: Transaction<Details>) => object;
}

/** Runs the purchase and sends its response. Throws rejections, which leave the identifier unused. */
export async function runPurchase<Details>(
  response: Response,
  shop: Shop<Details>,
  call: PurchaseCall<Details>,
): Promise<void> {
  const { modes } = shop.context;
  const { sku } = call;
  const { path } = response.req;
  if (sentGatewayPage(response, modes, sku)) return;
  const rejected = modes.take(sku, 'rejects');
  const word = rejected && statusWordOf(rejected.code);
  if (rejected && !word) throw rejectionOf(rejected.code);
  if (modes.of(sku).vanished) throw call.gone();
  const draft = call.draft();
  const first = formerPurchase(shop, call, draft);
  // If the mode `rejects` names a status word, the response is 200 with a purchase that already has this status.
  const atOnce: Outcome | undefined = word && { status: word, code: null };
  const body = first ? call.view(first) : await buy(shop, call, draft, atOnce);
  const unable = apiError('TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT');
  const sent = { status: 200, body, errorUnder200: errorBody(unable, path) };
  await sendPurchase(response, sent, modes, sku);
}

/** The first purchase with the identifier if the response repeats it; undefined to buy. Throws if the identifier is used. */
function formerPurchase<Details>(
  shop: Shop<Details>,
  { sku, duplicateCode, limits }: PurchaseCall<Details>,
  draft: Draft<Details>,
): Transaction<Details> | undefined {
  const first = draft.reference === undefined ? undefined : shop.withReference(draft.reference).at(-1);
  const { repeats = 'as-documented' } = shop.context.modes.of(sku);
  if (!first) limits?.(draft);
  if (!first || repeats === 'buys-again') return undefined;
  if (repeats === 'returns-first') return first;
  throw apiError(duplicateCode);
}

/** Returns the body of the response. */
async function buy<Details>(
  shop: Shop<Details>,
  { sku, ends, view }: PurchaseCall<Details>,
  draft: Draft<Details>,
  atOnce: Outcome | undefined,
): Promise<object> {
  const { modes } = shop.context;
  await pause(checkGapMs);
  const { takes_ms: takesMs = 0, webhook } = modes.of(sku);
  const isAsync = ends === 'after-response' || (takesMs > 0 && !atOnce);
  const transaction = shop.accept(draft, isAsync);
  const outcome = atOnce ?? outcomeOf(modes.take(sku, 'fails_later')?.code);
  const isEarly = webhook === 'early';
  const isLater = isAsync && !atOnce;
  const accepted = isLater ? view(transaction) : undefined;
  if (!isLater || (isEarly && takesMs === 0)) shop.settle(transaction, outcome);
  else shop.settleLater(transaction, outcome, Math.max(takesMs, shortestWorkMs));
  if (isEarly) {
    if (isLater && takesMs > 0) shop.announce(transaction);
    await pause(earlyLeadMs);
  }
  return accepted ?? view(transaction);
}

/** Success, the given status word, or FAILED with the given error code. */
function outcomeOf(code: string | undefined): Outcome {
  if (code === undefined) return { status: 'SUCCESSFUL', code: null };
  const word = statusWordOf(code);
  return word ? { status: word, code: null } : { status: 'FAILED', code };
}
