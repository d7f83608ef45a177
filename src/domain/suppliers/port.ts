/**
 * The supplier port. An adapter implements `Supplier` for one company that sells the goods; the service does the rest.
 * docs/developers/adding-a-supplier.md.
 *
 * The port fits suppliers that deduplicate by our reference, suppliers that can only look it up, and suppliers that do
 * neither. They may respond at once, when polled, or by a push, and a call may hang for a minute.
 */
import type { EsimStatus, ProfileChange } from '../esims/esim-lifecycle';
import type { FailureCode } from '../orders/failure-codes';
import type { Family } from '../orders/families';
import type { RechargedProfile, ReportedUnit } from '../orders/goods';
import type { SoldItem } from '../orders/contradicting-sale';
import type { SourceData } from '../orders/sources';
import type { SafeText } from '../safe-text';
import type { EsimPlan, StockReport, SupplierOffer } from '../prices/supplier-catalogue';

export type { EsimPlan, StockReport, SupplierOffer };

export interface Supplier {
  readonly name: string;
  readonly traits: SupplierTraits;
  /**
   * Buys. Throws one of the errors of `supplier-errors.ts` if there is no report. Calls `mayBeSent` right before it writes the
   * request: if that returns false, it sends nothing and throws `SupplierUnavailable`.
   */
  purchase: (request: PurchaseRequest, mayBeSent: () => boolean) => Promise<PurchaseReport>;
  /** Looks up an earlier purchase; never buys. Called only if `traits.lookup` allows it. */
  find: (lookup: PurchaseLookup) => Promise<LookupReport>;
  /** Cancels an undelivered purchase. True only if it is certain that nothing will be delivered. */
  withdraw?: (lookup: PurchaseLookup) => Promise<boolean>;
  /** The supplier's stock of everything it sells, page by page; absent if it reports none. */
  stock?: () => AsyncIterable<StockReport[]>;
  /** Our remaining prepaid balance in each currency; absent if the supplier reports none. */
  balances?: () => Promise<Money[]>;
  /**
   * Every offer of the supplier, page by page; absent if it has no list. An offer that we cannot sell states the reason
   * (`unsellable`). Throws `SupplierUnavailable` for an incomplete list, because that would withdraw the missing offers.
   */
  catalogue?: () => AsyncIterable<SupplierOffer[]>;
  /** The plans of one eSIM product (`productSku`). */
  esimPlans?: (productSku: string) => Promise<EsimPlan[]>;
  /** The SKUs in `esimPlans` that recharge the profile now; absent if the supplier recharges none. `sku`: that of its purchase. */
  rechargePlans?: (profile: { iccid: string; sku: string }) => Promise<string[]>;
  /** Every sale since `since`, page by page, for reconciliation. */
  statement?: (since: Date) => AsyncIterable<SoldPurchase[]>;
  /** The status of an eSIM with its usage, as far as the supplier reports them. Throws `ProfileUnknown` if it does not know the ICCID. */
  esimStatus?: (iccid: string) => Promise<EsimStatus>;
  /**
   * The hint in a push, verified by the means that the supplier offers: a signature, a secret in a header, or the secret in the
   * path. Undefined if the push fails the verification.
   */
  verifyPush?: (push: ReceivedPush) => PushHint | undefined;
}

/** A push as it was received. */
export interface ReceivedPush {
  /** The names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  rawBody: Buffer;
  /** The last segment of `/suppliers/:name/callbacks/:secret`. */
  pathSecret: string | undefined;
}

/** The capabilities of the supplier, which decide how the service handles its purchases. */
export interface SupplierTraits {
  /** The effect of a second purchase with the same reference. */
  readonly repeatedReference: 'returns-first' | 'is-rejected' | 'buys-again';
  /** Whether a lookup can find a purchase whose response was lost. With `none`, an operator decides about it at once. */
  readonly lookup: 'by-reference' | 'none';
  /** `none` if the supplier does not document that a lookup finds the recharge of an eSIM; absent if `lookup` holds for it, too. */
  readonly rechargeLookup?: 'none';
  /** Milliseconds after sending for which an empty lookup does not yet mean "not bought". */
  readonly lookupConclusiveAfterMs: number;
  /** The maximum number of units in one purchase. */
  readonly maxUnits: number;
  /**
   * How many purchases of one product may be under way. `one-per-product`, for suppliers that accept no reference of ours: the next
   * purchase waits for the outcome of the previous one, because a lost purchase would look like the next one.
   */
  readonly concurrency: 'unlimited' | 'one-per-product';
  /** Whether the supplier pushes changes of eSIMs. If not, they are polled more often. */
  readonly pushesEsims: boolean;
  /** Milliseconds for which the supplier caches an eSIM's status, so that earlier polls are useless; absent if it caches none. */
  readonly esimStatusCachedMs?: number;
}

/** The simulated devices of a supplier's sandbox. Production uses none. */
export interface SandboxControls {
  /**
   * Changes the profile as its device, or the end of its validity, would. Repeated changes have no effect, except that `use`
   * adds `megabytes` to the used data every time. Throws the port's errors.
   */
  changeProfile: (iccid: string, change: ProfileChange, megabytes?: number) => Promise<void>;
}

/** The units to buy. `reference` is ours, unique for every purchase ever made, at most 40 characters. */
export interface PurchaseRequest {
  reference: string;
  family: Family;
  /** The supplier's own product identifier. */
  sku: string;
  /** The data that the adapter stored with the source. */
  data?: SourceData;
  units: number;
  /** Face value of one unit as a decimal string, in `currency`. */
  unitValue: string;
  currency: string;
  /** The customer's input of a top-up by field name, validated and normalised. */
  input?: Readonly<Record<string, string>>;
  /** The profile that gets the plan. Its goods are `recharge`; any other profile in the report is unusable. Absent for a new profile. */
  recharged?: RechargedProfile;
}

/** An earlier purchase to look up. */
export interface PurchaseLookup {
  reference: string;
  family: Family;
  supplierOrderId?: string;
  sku: string;
  data?: SourceData;
  units: number;
  /** As in the purchase. */
  recharged?: RechargedProfile;
}

/**
 * The outcome of a purchase. `goods` holds every unit that exists so far, in a stable order: the n-th unit of two
 * reports is the same unit. There may be fewer or more units than were bought. `cost`: the supplier's price of the whole
 * purchase, with its fees; absent if the supplier does not report it. `sold`: what the supplier says that it sold. If that contradicts
 * the order, the service does not deliver the goods.
 */
export type PurchaseReport =
  | { state: 'DELIVERED'; supplierOrderId: string; cost?: Money; sold?: SoldItem; goods: ReportedUnit[] }
  | { state: 'PENDING'; supplierOrderId?: string; cost?: Money; sold?: SoldItem; goods: ReportedUnit[] }
  | {
      state: 'REJECTED';
      supplierOrderId?: string;
      failureCode: FailureCode;
      detail: SafeText;
      rawResponse?: RawSupplierResponse;
      goods: ReportedUnit[];
    }
  | NotBought;

/**
 * Nothing was bought, and the reference is used up: the supplier keeps a purchase without goods under it, or rejects it from now
 * on. If the same reference can be sent again, throw `SupplierAccountBlocked` or `SupplierUnavailable` instead.
 * `because`: `our-account` is empty or blocked, the supplier could not sell at that moment (`temporary`), or does not sell the item
 * (`not-here`). Then `failureCode` ends the order if no other source can deliver the item.
 * With a `buys-again` supplier, the service believes a lookup with this result only if it sent the purchase once: after two
 * requests, the lookup may hide the purchase that the other request made.
 */
export interface NotBought {
  state: 'NOT_BOUGHT';
  because: 'our-account' | 'temporary' | 'not-here';
  supplierOrderId?: string;
  failureCode: FailureCode;
  detail: SafeText;
  rawResponse?: RawSupplierResponse;
  goods: ReportedUnit[];
}

/**
 * `NOT_FOUND`: the supplier shows no purchase with the reference. A purchase that was sent may still appear until
 * `SupplierTraits.lookupConclusiveAfterMs` has passed.
 * `AMBIGUOUS`: the response contradicts itself, such as by two rows, or cannot be read; `detail` says how.
 * `isShown`: the response shows at least one row with the reference.
 * `REVERSED`: the supplier delivered the purchase and reversed it later. Operators are notified; the service moves no money.
 */
export type LookupReport =
  | PurchaseReport
  | { state: 'NOT_FOUND' }
  | { state: 'AMBIGUOUS'; isShown: boolean; detail: SafeText }
  | { state: 'REVERSED' };

/**
 * One row of the supplier's own statement: a sale, or the refund of one. `reference`: ours, or the supplier's order id if the
 * sale has no reference. The service never buys without a reference, so reconciliation reports such a sale as `sold-unknown`.
 */
export interface SoldPurchase {
  kind: 'sale' | 'refund';
  reference: string;
  supplierOrderId?: string;
  /** The units that were sold or refunded. */
  units: number;
  /** The price of all units together. */
  cost?: Money;
  soldAt: Date;
}

/** Money at a supplier. `amount`: an exact decimal string. `currency`: its ISO 4217 code. */
export interface Money {
  amount: string;
  currency: string;
}

/**
 * The content of a push: only which purchase or profile to look up, because a push proves nothing. `reversal`: a
 * delivered purchase may have been reversed.
 */
export type PushHint = { kind: 'purchase' | 'reversal'; reference: string } | { kind: 'esim'; iccid: string };

/**
 * Text of a raw supplier response, which may repeat the customer's input. It is sealed for operators and appears
 * nowhere else: nothing that prints or serializes an object shows it.
 */
export class RawSupplierResponse {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}
