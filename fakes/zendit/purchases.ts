/** The purchases of our account, and their states. */
import { Decimal } from 'decimal.js';
import type { FakeContext } from '../kit/fake';
import type { Accepted } from '../kit/ledger';
import { OrderStore } from '../kit/order-store';
import { minuteMs } from '../kit/times';
import { ApiError } from './errors';
import { deliver, type Esim } from './esims';
import { WALLET_DIVISOR, type Family, type Offer } from './offers';
import type { PurchaseRequest } from './requests';
import { isFinal, isVoid, statesBefore, type Status } from './statuses';
import type { Amounts } from './terms';

/** How and when a purchase ends. If `status` is not a final state, the purchase stays in this state. */
export interface Outcome {
  readonly status: Status;
  /** The code in `error` of a failed purchase. */
  readonly error?: string;
  /** The time from acceptance to the outcome. */
  readonly delayMs: number;
}

/** A purchase before it has an id. */
export interface Order {
  readonly request: PurchaseRequest;
  readonly offer: Offer;
  readonly amounts: Amounts;
  readonly outcome: Outcome;
}

interface LogEntry {
  readonly at: number;
  readonly status: Status;
  readonly message: string;
}

interface Step {
  readonly status: Status;
  readonly error?: string;
  readonly afterMs: number;
}

export interface Purchase extends Order, Accepted {
  /** Zendit's own id. The goods derive from it. */
  readonly id: bigint;
  readonly log: LogEntry[];
  status: Status;
  error: string | undefined;
  isReserved: boolean;
  /** The states to come. */
  steps: readonly Step[];
}

/** The longest times from acceptance to the states before the final state. */
const latestMs: Readonly<Partial<Record<Status, number>>> = { PENDING: 30, AUTHORIZED: 60, IN_PROGRESS: 120 };
/** The retries in the paragraph "Queue and retry": every 15 minutes, for up to 24 hours. */
const retryMs = 15 * minuteMs;
const maxRetries = 96;
/** Zendit does not state that a lookup shows a purchase at once. Lookups hide a purchase for this time after the POST. */
const usualLagMs = 50;

const messages: Readonly<Record<Status, string>> = {
  ACCEPTED: 'The purchase was accepted.',
  PENDING: 'The purchase is queued.',
  AUTHORIZED: 'The cost was reserved.',
  IN_PROGRESS: 'The provider works on the purchase.',
  DONE: 'The purchase was fulfilled.',
  FAILED: 'The purchase failed.',
  FAIL: 'The purchase failed.',
};

/** The references are the transaction ids. The documentation does not give the order of lists. */
export class Purchases extends OrderStore<Purchase> {
  /** Continues after `clear` and after a restart, because Zendit never gives an id twice. */
  private lastId = BigInt(Date.now());

  /** `onState` is called at every state after ACCEPTED. */
  constructor(
    private readonly context: FakeContext,
    private readonly esims: Map<string, Esim>,
    private readonly onState: (purchase: Purchase) => void,
  ) {
    super();
  }

  /** Stores the purchase in state ACCEPTED, and schedules its further states. */
  accept(order: Order): Purchase {
    this.lastId += 1n;
    const accepted = this.context.ledger.open({
      reference: order.request.transactionId,
      id: this.lastId,
      sku: order.offer.offerId,
      units: 1,
      cost: costOf(order),
    });
    const purchase = this.add({
      ...order,
      ...accepted,
      id: this.lastId,
      log: [{ at: accepted.createdAt, status: 'ACCEPTED', message: messages.ACCEPTED }],
      status: 'ACCEPTED',
      error: undefined,
      isReserved: false,
      steps: stepsTo(order.outcome),
    });
    this.schedule(purchase);
    return purchase;
  }

  /** Whether lookups show the purchase. */
  isVisible({ offer, createdAt }: Purchase): boolean {
    return this.context.modes.isVisible(offer.offerId, createdAt, usualLagMs);
  }

  /** The latest visible purchase of the family with this `transactionId`. Throws without one. */
  known(transactionId: string, family: Family): Purchase {
    const found = this.withReference(transactionId).find((one) => one.offer.family === family && this.isVisible(one));
    if (!found) throw new ApiError('NOT_FOUND', { message: 'The transaction was not found.' });
    return found;
  }

  /** Brings the purchase to its outcome now. Has no effect if the purchase has reached it. */
  finish(purchase: Purchase): void {
    while (purchase.steps.length > 0) this.advance(purchase);
  }

  private schedule(purchase: Purchase): void {
    const [step] = purchase.steps;
    if (!step) return;
    this.timers.after(purchase.createdAt + step.afterMs - Date.now(), () => {
      if (purchase.steps[0] !== step) return;
      this.advance(purchase);
      this.schedule(purchase);
    });
  }

  /** Takes the next step. If our wallet has too little money, the purchase ends instead. */
  private advance(purchase: Purchase): void {
    const [step, ...later] = purchase.steps;
    if (!step) return;
    purchase.steps = later;
    if (step.status === 'AUTHORIZED' && !this.reserve(purchase)) {
      purchase.steps = [];
      return this.enter(purchase, 'FAILED', 'INSUFFICIENT_FUNDS');
    }
    this.enter(purchase, step.status, step.error);
  }

  private reserve(purchase: Purchase): boolean {
    purchase.isReserved = this.context.account.spend(costOf(purchase));
    return purchase.isReserved;
  }

  private enter(purchase: Purchase, status: Status, error?: string): void {
    purchase.status = status;
    purchase.error = error;
    purchase.log.push({ at: Date.now(), status, message: messages[status] });
    if (isFinal(status)) this.settle(purchase);
    if (status === 'IN_PROGRESS') this.logRetries(purchase, 1);
    this.onState(purchase);
  }

  private settle(purchase: Purchase): void {
    const { sale, status, isReserved } = purchase;
    if (isVoid(status)) {
      if (isReserved) this.context.account.restore(costOf(purchase));
      sale.state = 'void';
    } else {
      sale.state = 'sold';
      deliver(this.esims, purchase);
    }
  }

  /** Simulates an outage of the provider for a slow purchase: it stays IN_PROGRESS, and its log shows the attempts. */
  private logRetries(purchase: Purchase, attempt: number): void {
    if (attempt > maxRetries) return;
    this.timers.after(retryMs, () => {
      if (purchase.status !== 'IN_PROGRESS') return;
      const message = `The provider is unavailable. Attempt ${attempt + 1} is queued.`;
      purchase.log.push({ at: Date.now(), status: 'IN_PROGRESS', message });
      this.logRetries(purchase, attempt + 1);
    });
  }
}

/** The cost in the currency of our wallet. */
export function costOf({ amounts }: Pick<Order, 'amounts'>): Decimal {
  return new Decimal(amounts.cost).div(WALLET_DIVISOR);
}

function stepsTo({ status, error, delayMs }: Outcome): Step[] {
  const before = statesBefore(status, error === 'INSUFFICIENT_FUNDS');
  const onTheWay = before.map((state, index) => ({
    status: state,
    afterMs: Math.min((delayMs * (index + 1)) / 4, latestMs[state] ?? 0),
  }));
  return [...onTheWay, { status, ...(error !== undefined && { error }), afterMs: delayMs }];
}
