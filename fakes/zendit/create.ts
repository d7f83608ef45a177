/** The creation of purchases, and repeated ids. */
import type { ModeBook } from '../kit/modes';
import { findOffer } from './catalogue';
import { ApiError, malformed } from './errors';
import type { Family, Offer } from './offers';
import type { Outcome, Purchase, Purchases } from './purchases';
import { purchaseRequests, validated, type PurchaseRequest } from './requests';
import { findStatus, isVoid } from './statuses';
import { amountsOf, checkFields } from './terms';

/** The result of a POST that ran. With `failure`, the buyer sees this error although the purchase exists. */
export interface Created {
  readonly purchase: Purchase;
  readonly failure?: ApiError;
}

/** The usual time to the final state. Zendit says that 99 % end within 15 s. */
const usualMs = 300;

export class Creator {
  constructor(
    private readonly modes: ModeBook,
    private readonly purchases: Purchases,
  ) {}

  /** Buys one unit. Throws an `ApiError` if the request is rejected; then no purchase exists, and the id stays free. */
  create(family: Family, body: unknown): Created {
    const request = validated(purchaseRequests[family], body);
    const first = this.repeatedBy(request);
    if (first) return { purchase: first };
    const offer = findOffer(request.offerId);
    const isSold = offer?.family === family && offer.enabled && !this.modes.of(offer.offerId).vanished;
    if (!isSold) throw new ApiError('NOT_FOUND', { message: 'The offer was not found.' });
    const rejection = this.modes.take(offer.offerId, 'rejects')?.code;
    if (rejection !== undefined) return this.reject(offer, request, rejection);
    return { purchase: this.accept(offer, request) };
  }

  /**
   * The earlier purchase that answers a repeated id. Zendit does not state what a second POST does, so it buys again. A failed
   * purchase keeps its id, so a second POST with this id is rejected.
   */
  private repeatedBy({ transactionId, offerId }: PurchaseRequest): Purchase | undefined {
    const { repeats = 'as-documented' } = this.modes.of(offerId);
    const former = this.purchases.withReference(transactionId);
    const latest = former[0];
    if (!latest || repeats === 'buys-again') return undefined;
    if (repeats === 'returns-first') return former.at(-1);
    if (isVoid(latest.status)) throw malformed({ transactionId: 'has been used' });
    return undefined;
  }

  /**
   * A state word and INSUFFICIENT_FUNDS belong to a purchase, so the purchase ends with them at once. The result of
   * SYSTEM_UNAVAILABLE is unknown, so the purchase runs. Every other code rejects it.
   */
  private reject(offer: Offer, request: PurchaseRequest, code: string): Created {
    if (findStatus(code) !== undefined || code === 'INSUFFICIENT_FUNDS') {
      const purchase = this.accept(offer, request, code);
      this.purchases.finish(purchase);
      return { purchase };
    }
    const failure = new ApiError(code);
    if (code !== 'SYSTEM_UNAVAILABLE') throw failure;
    return { purchase: this.accept(offer, request), failure };
  }

  /** Accepts the purchase. With a code, the purchase ends with this code and does not use up the mode `fails_later`. */
  private accept(offer: Offer, request: PurchaseRequest, code?: string): Purchase {
    const { price_factor: factor = 1 } = this.modes.of(offer.offerId);
    checkFields(offer, request);
    const amounts = amountsOf(offer, request.value, factor);
    const ending = code ?? this.modes.take(offer.offerId, 'fails_later')?.code ?? 'DONE';
    return this.purchases.accept({ request, offer, amounts, outcome: this.outcomeOf(offer, ending) });
  }

  private outcomeOf({ offerId }: Offer, code: string): Outcome {
    const delayMs = this.modes.of(offerId).takes_ms ?? usualMs;
    const status = findStatus(code);
    // `error` is optional, so a purchase that fails with a state word has no `error`.
    return status === undefined ? { status: 'FAILED', error: code, delayMs } : { status, delayMs };
  }
}
