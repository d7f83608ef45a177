/**
 * The supplier port: what the service asks of whoever really sells the goods. It is shaped after
 * suppliers that deduplicate by our reference, that can only be asked about it, and that know
 * neither; that answer at once, when polled, or by a push; and whose calls may hang for a minute.
 */
import type { EsimStatus } from '../domain/esims/esim-lifecycle';
import type { FailureCode } from '../domain/orders/failure-codes';
import type { Family } from '../domain/orders/families';
import type { ReportedUnit } from '../domain/orders/goods';
import { safeName, safeText, type SafeText } from '../domain/safe-text';
import type { EsimPlan, StockReport } from '../domain/prices/supplier-catalogue';

export type { EsimPlan, StockReport };

/** What is bought. `reference` is ours, unique for every purchase ever made, at most 40 characters. */
export interface PurchaseRequest {
  reference: string;
  family: Family;
  /** The supplier's own identifier of what is sold. */
  sku: string;
  units: number;
  /** Face value of one unit as a decimal string, in `currency`. */
  unitValue: string;
  currency: string;
  /** The customer's input of a top-up by field name, already validated and normalised. */
  input?: Readonly<Record<string, string>>;
}

/** What is known about an earlier purchase when the supplier is asked about it. */
export interface PurchaseLookup {
  reference: string;
  family: Family;
  supplierOrderId?: string;
  sku: string;
  units: number;
}

/**
 * What became of a purchase. `goods` holds every unit that exists so far, in a stable order, so
 * that the n-th unit of two reports is the same unit. There may be fewer or more than were bought.
 */
export type PurchaseReport =
  | { state: 'DELIVERED'; supplierOrderId: string; goods: ReportedUnit[] }
  | { state: 'PENDING'; supplierOrderId?: string; goods: ReportedUnit[] }
  | {
      state: 'REJECTED';
      supplierOrderId?: string;
      failureCode: FailureCode;
      detail: SafeText;
      said?: SupplierWords;
      goods: ReportedUnit[];
    };

/**
 * `NOT_FOUND`: no purchase with that reference exists (yet; see `SupplierTraits.lookupConclusiveAfterMs`).
 * `AMBIGUOUS`: what the supplier shows contradicts itself, such as two rows, or cannot be read; `detail` says how.
 * `isShown`: it shows at least one row with the reference.
 * `REVERSED`: it had delivered, and took the purchase back. Operators are told; no money moves by itself.
 */
export type LookupReport =
  | PurchaseReport
  | { state: 'NOT_FOUND' }
  | { state: 'AMBIGUOUS'; isShown: boolean; detail: SafeText }
  | { state: 'REVERSED' };

/** A purchase as the supplier's own statement lists it. */
export interface SoldPurchase {
  reference: string;
  /** Units that were really sold. */
  units: number;
  soldAt: Date;
}

/** Our money at a supplier: an exact decimal string. */
export interface SupplierBalance {
  amount: string;
  currency: string;
}

export interface SupplierTraits {
  /** What a second purchase with the same reference does. */
  readonly repeatedReference: 'returns-first' | 'is-refused' | 'buys-again';
  /** Whether a purchase whose answer was lost can be found again. Where not, operators decide it at once. */
  readonly lookup: 'by-reference' | 'none';
  /** Milliseconds after sending for which an empty lookup does not yet mean "not bought". */
  readonly lookupConclusiveAfterMs: number;
  /** The most units one purchase may hold. */
  readonly maxUnits: number;
  /**
   * How many purchases of one product may be under way. `one-per-product`: the next is sent once the outcome
   * of the one before is known, whichever process sent that. For suppliers that take no reference of ours,
   * where a lost purchase could not be told from the next one.
   */
  readonly concurrency: 'unlimited' | 'one-per-product';
}

/**
 * What a push tells: only which purchase or profile to ask about. It is never believed by itself. `reversal`:
 * a delivered purchase may have been reversed.
 */
export type PushHint =
  | { kind: 'purchase'; reference: string }
  | { kind: 'reversal'; reference: string }
  | { kind: 'esim'; iccid: string };

export interface Supplier {
  readonly name: string;
  readonly traits: SupplierTraits;
  /**
   * Buys. Throws one of the three errors below when there is no report. `mayBeSent` is asked right
   * before the request is written; where it says no, nothing is sent and SupplierUnavailable thrown.
   */
  purchase: (request: PurchaseRequest, mayBeSent: () => boolean) => Promise<PurchaseReport>;
  /** Asks about an earlier purchase; never buys. Only where `traits.lookup` allows it. */
  find: (lookup: PurchaseLookup) => Promise<LookupReport>;
  /** Takes back a purchase that is not delivered; true when it is certain that none will be. */
  withdraw?: (lookup: PurchaseLookup) => Promise<boolean>;
  /** The supplier's stock of everything it sells, page by page; absent where it tells of none. */
  stock?: () => AsyncIterable<StockReport[]>;
  /** What is left of our money there; absent where it does not tell. */
  balance?: () => Promise<SupplierBalance>;
  /** The plans of one eSIM product (`productSku`). */
  esimPlans?: (productSku: string) => Promise<EsimPlan[]>;
  /** Everything that was sold since, page by page: what reconciliation compares with. */
  statement?: (since: Date) => AsyncIterable<SoldPurchase[]>;
  esimStatus?: (iccid: string) => Promise<EsimStatus>;
  /** The hint in a push, or undefined when its signature or time does not hold. */
  verifyPush?: (
    headers: Readonly<Record<string, string | undefined>>,
    rawBody: Buffer,
  ) => PushHint | undefined;
}

/**
 * What a supplier said in its own words, which may repeat what the customer entered. It is sealed for operators and
 * goes nowhere else: nothing that prints or serializes an object shows it.
 */
export class SupplierWords {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** What a call of a supplier throws. Its message is ours alone: it gets into Temporal, logs and records. */
abstract class SupplierError extends Error {
  declare readonly message: SafeText;
  constructor(
    message: SafeText,
    readonly said: SupplierWords | undefined,
  ) {
    super(message);
  }
}

/** Nothing ran: the same purchase may be sent again, after `retryAfterMs` where the supplier named it. */
export class SupplierUnavailable extends SupplierError {
  override readonly name = 'SupplierUnavailable';
  constructor(
    message: SafeText,
    readonly retryAfterMs?: number,
    said?: SupplierWords,
  ) {
    super(message, said);
  }
}

/**
 * The purchase may or may not have happened: it must be asked about, never sent again blindly. After
 * `conclusiveInMs` an empty look-up will mean that it did not happen.
 */
export class SupplierOutcomeUnknown extends SupplierError {
  override readonly name = 'SupplierOutcomeUnknown';
  constructor(
    message: SafeText,
    readonly conclusiveInMs?: number,
    said?: SupplierWords,
  ) {
    super(message, said);
  }
}

/** Our own account stands in the way (credit, credentials): hold the order and alert operations. */
export class SupplierAccountBlocked extends SupplierError {
  override readonly name = 'SupplierAccountBlocked';
  constructor(message: SafeText, said?: SupplierWords) {
    super(message, said);
  }
}

/** What may be told of an error that a supplier's call ended with, whoever made it. */
export function toldOf(error: unknown): SafeText {
  if (isSupplierError(error)) return error.message;
  return error instanceof Error ? safeName(error.name) : safeText`Error`;
}

/** Whether the error is one of the three that calls of suppliers throw. */
export function isSupplierError(
  error: unknown,
): error is SupplierUnavailable | SupplierOutcomeUnknown | SupplierAccountBlocked {
  return error instanceof SupplierError;
}
