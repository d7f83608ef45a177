/** What workflow, activities and API tell each other about an order. Ids and counts only, never secrets. */
import type { FailureCode } from './failure-codes';
import type { Family, OrderStatus } from './orders';

/** An order's identity: its id and the nonce that keeps a reused id from meeting an old workflow. */
export interface OrderKey {
  orderId: number;
  nonce: string;
}

/** What an order's workflow is started with. */
export interface OrderStart extends OrderKey {
  family: Family;
  /** Nobody waits for the goods: the create is answered as soon as the order is placed. */
  asynchronous: boolean;
  /** When the create that waits is answered at the latest (milliseconds since 1970); else by the family's patience. */
  answerBy?: number;
}

/** The names of an order's workflows and of what they can be told (see `workflows/messages.ts`). */
export const orderWorkflows: Readonly<Record<Family, string>> = {
  VOUCHER: 'voucherOrder',
  TOPUP: 'topupOrder',
  ESIM: 'esimOrder',
};
export const orderMessages = {
  answer: 'answer',
  cancel: 'cancelOrder',
  supplierNews: 'supplierNews',
  resolve: 'resolveOrder',
} as const;

/** Why an order was refused when it was placed; nothing moved. */
export type Refusal =
  'INSUFFICIENT_BALANCE' | 'DUPLICATE_CLIENT_REFERENCE' | 'VOUCHER_NOT_REDEEMABLE' | 'CLIENT_LIMIT_EXCEEDED';

/** One purchase at the supplier: units `firstUnit` to `firstUnit + units - 1` of the order. */
export interface Batch {
  batch: number;
  firstUnit: number;
  units: number;
}

/** How an order's placement ended. ABANDONED: the API gave up before, so nothing may happen. */
export type Placement =
  | { outcome: 'PLACED'; batches: Batch[] }
  | { outcome: 'REFUSED'; refusal: Refusal }
  | { outcome: 'ABANDONED' };

/** What the waiting create is told. */
export type Answer = Exclude<Placement, { outcome: 'PLACED' }> | { outcome: 'PLACED' };

/**
 * Where a batch stands; `delivered` of its units are stored. WITHDRAWN: it was not bought and will
 * not be. UNRESOLVED: what became of it cannot be found out without a human.
 */
export type BatchReport =
  | { state: 'DELIVERED' | 'PENDING' | 'WITHDRAWN'; delivered: number }
  | { state: 'REJECTED'; delivered: number; failureCode: FailureCode }
  | { state: 'UNRESOLVED'; delivered: number; reason: string };

/** How an order is brought to its end. The database counts what was delivered. */
export interface Settlement {
  /** Why not everything was delivered; absent where everything was. */
  failureCode?: FailureCode;
  cancelled?: boolean;
}

export interface Settled {
  status: OrderStatus;
  delivered: number;
  /** An address is attached that a mail is due to. */
  mail: boolean;
}

/** An operator's word on an order whose outcome could not be found out. */
export type Resolution = 'ASK_AGAIN' | 'NOT_BOUGHT';
