/** The acceptance of orders (sections "What an answer to an order means" and "Our reference, idempotency"). */
import { Decimal } from 'decimal.js';
import type { ModeBook } from '../kit/modes';
import { rounded } from '../kit/money';
import { findPackage, topupsOf } from './catalogue';
import { statusOf, type Esim } from './esims';
import { businessError, errorOf, packageInvalid, stockText, validationError, type ApiError } from './errors';
import type { Order, Orders, Outcome } from './orders';
import type { Package } from './packages';
import type { OrderRequest } from './requests';

/** An order that ran. With `failure`, the buyer sees this error although the order exists. */
export interface Bought {
  readonly order: Order;
  readonly failure?: ApiError;
}

/** The time from a delivery to its refund. The documentation does not state one. */
const usualRefundMs = 300;

export class Buyer {
  constructor(
    private readonly modes: ModeBook,
    private readonly orders: Orders,
    private readonly timeScale: number,
    private readonly esims: ReadonlyMap<string, Esim>,
  ) {}

  /**
   * Buys. Throws an `ApiError` if the request is rejected; then no order exists. There is no idempotency: a second order
   * with the same description buys again, except in mode `repeats: returns-first`.
   */
  buy(request: OrderRequest): Bought {
    const { modes, orders } = this;
    const { repeats } = modes.of(request.package_id);
    const first = request.description === undefined ? undefined : orders.first(request.description);
    if (first && repeats === 'returns-first') return { order: first };
    const pkg = this.orderable(request);
    this.requireFitting(pkg, request.iccid);
    const rejection = modes.take(pkg.id, 'rejects')?.code;
    const failure = rejection === undefined ? undefined : errorOf(rejection);
    if (failure && !failure.isUnclear) throw failure;
    const order = this.accept(pkg, request);
    return failure ? { order, failure } : { order };
  }

  /** The package of the request. Throws if it cannot be ordered. */
  private orderable({ package_id: id, quantity }: OrderRequest): Package {
    const pkg = findPackage(id);
    if (pkg?.forcedError !== undefined) throw errorOf(pkg.forcedError);
    if (pkg === undefined) throw validationError({ package_id: packageInvalid });
    if (this.modes.of(id).vanished) throw businessError(34);
    if (pkg.stock !== undefined && quantity > pkg.stock) {
      throw validationError({ quantity: stockText(pkg.stock) });
    }
    return pkg;
  }

  /** A recharge is for an eSIM of the package's operator, and comes with none. */
  private requireFitting(pkg: Package, iccid: string | undefined): void {
    if (iccid === undefined && !pkg.isTopup) return;
    const esim = this.esims.get(iccid ?? '');
    if (!esim)
      throw validationError(
        pkg.isTopup && iccid === undefined
          ? { package_id: packageInvalid }
          : { iccid: 'The requested eSIM is invalid.' },
      );
    if (statusOf(esim) === 'RECYCLED') throw businessError(73);
    if (!topupsOf(esim.plan.pkg).includes(pkg)) throw validationError({ package_id: packageInvalid });
  }

  private accept(pkg: Package, request: OrderRequest): Order {
    const { price_factor: factor = 1 } = this.modes.of(pkg.id);
    if (pkg.price === null || pkg.netPrice === null) throw businessError(34);
    const retail = rounded(new Decimal(pkg.price).times(factor));
    const cost = rounded(new Decimal(pkg.netPrice).times(factor));
    return this.orders.accept({ request, pkg, retail, cost, outcome: this.outcomeOf(pkg.id) });
  }

  /** The outcome of an accepted order. The order uses up one of the mode `fails_later`. */
  private outcomeOf(sku: string): Outcome {
    const { takes_ms: takesMs } = this.modes.of(sku);
    return {
      word: this.modes.take(sku, 'fails_later')?.code,
      delayMs: takesMs ?? 0,
      refundAfterMs: takesMs ?? usualRefundMs * this.timeScale,
    };
  }
}
