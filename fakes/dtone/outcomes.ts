/** How and when a transaction ends. */
import type { ModeBook } from '../kit/modes';
import { hasPin, isEsim, skuOf, type Product } from './products';
import type { TransactionRequest } from './requests';
import { statusOf, type Status } from './statuses';

export type Goods = 'PIN' | 'PROFILE' | 'NONE';

export interface Outcome {
  readonly status: Status;
  /** The time from confirmation to the final state. */
  readonly delayMs: number;
  /** The goods of a completed transaction, apart from the amount that the operator credits. */
  readonly goods: Goods;
}

/** The delay of phone numbers for which the documentation has no delay. */
const usualDelayMs = 300;

/** The section "Sandbox numbers": delays by the third last digit of the recipient's number, and states by its last digit. */
const sandboxDelaysMs: Readonly<Record<string, number>> = { 1: 3_000, 2: 20_000, 3: 300_000 };
const sandboxStatuses: Readonly<Record<string, string>> = {
  0: 'COMPLETED',
  1: 'COMPLETED',
  2: 'DECLINED-INVALID-CREDIT-PARTY',
  3: 'DECLINED-BARRED-CREDIT-PARTY',
  4: 'DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE',
  5: 'DECLINED-DUPLICATED-TRANSACTION',
  6: 'DECLINED',
  7: 'DECLINED-EXCEPTION',
};

/** The outcome of an accepted purchase. The purchase uses up one of the mode `fails_later`. */
export function outcomeOf(product: Product, request: TransactionRequest, modes: ModeBook): Outcome {
  const sku = skuOf(product);
  const { takes_ms: takesMs } = modes.of(sku);
  const failure = modes.take(sku, 'fails_later');
  const sandbox = sandboxOf(product, request);
  return {
    status: statusOf(failure ? statusWord(failure.code) : (sandbox?.word ?? 'COMPLETED')),
    delayMs: takesMs ?? sandbox?.delayMs ?? usualDelayMs,
    goods: goodsOf(product, request, sandbox?.hasPin ?? false),
  };
}

function goodsOf(product: Product, request: TransactionRequest, isPinOfSandbox: boolean): Goods {
  if (isEsim(product)) return isEsimTopup(product, request) ? 'NONE' : 'PROFILE';
  return hasPin(product) || isPinOfSandbox ? 'PIN' : 'NONE';
}

/** Whether the request adds a plan to an existing eSIM. Such a transaction has no profile. */
export function isEsimTopup(product: Product, request: TransactionRequest): boolean {
  return isEsim(product) && request.credit_party_identifier?.account_number !== undefined;
}

/** The state for an API code: two codes have a state with the same meaning, and the others end as REJECTED. */
function statusWord(code: string): string {
  if (!/^\d+$/.test(code)) return code;
  const words: Readonly<Record<string, string>> = {
    1005003: 'REJECTED-INVALID-CREDIT-PARTY',
    1006001: 'REJECTED-INSUFFICIENT-BALANCE',
  };
  return words[code] ?? 'REJECTED';
}

function sandboxOf(product: Product, { credit_party_identifier: party }: TransactionRequest) {
  const needsCreditParty = product.required.credit_party_identifier !== undefined;
  // Products without a credit party always complete.
  if (!needsCreditParty && !isEsim(product)) return undefined;
  const recipient = party?.mobile_number ?? party?.account_number ?? '';
  const [, delay, ending] = /([1-3])0([0-7])$/.exec(recipient) ?? [];
  const delayMs = sandboxDelaysMs[delay ?? ''];
  const word = sandboxStatuses[ending ?? ''];
  if (delayMs === undefined || word === undefined) return undefined;
  return { delayMs, word, hasPin: ending === '1' };
}
