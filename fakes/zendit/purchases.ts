/** The purchases of our account, and their states. */
import type { Ledger, Sale } from '../kit/ledger';
import { Timers } from '../kit/timers';
import { textOf, WALLET_CURRENCY, type Account } from './account';
import type { Esims } from './esims';
import type { Offer } from './offers';
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

export interface Purchase extends Order {
  /** Zendit's own id. The goods derive from it. */
  readonly id: bigint;
  readonly createdAt: number;
  readonly sale: Sale;
  readonly log: LogEntry[];
  status: Status;
  error: string | undefined;
  isReserved: boolean;
  /** The states to come. */
  steps: readonly Step[];
}

export interface PurchasesOptions {
  account: Account;
  esims: Esims;
  ledger: Ledger;
  /** Called at every state after ACCEPTED. */
  onState: (purchase: Purchase) => void;
}

/** The longest times from acceptance to the states before the final state. */
const latestMs: Readonly<Partial<Record<Status, number>>> = { PENDING: 30, AUTHORIZED: 60, IN_PROGRESS: 120 };
/** The retries in the paragraph "Queue and retry": every 15 minutes, for up to 24 hours. */
const retryMs = 900_000;
const maxRetries = 96;

const messages: Readonly<Record<Status, string>> = {
  ACCEPTED: 'The purchase was accepted.',
  PENDING: 'The purchase is queued.',
  AUTHORIZED: 'The cost was reserved.',
  IN_PROGRESS: 'The provider works on the purchase.',
  DONE: 'The purchase was fulfilled.',
  FAILED: 'The purchase failed.',
  FAIL: 'The purchase failed.',
};

export class Purchases {
  private readonly byTransactionId = new Map<string, Purchase[]>();
  private readonly all: Purchase[] = [];
  private readonly timers = new Timers();
  /** Continues after `clear` and after a restart, because Zendit never gives an id twice. */
  private lastId = BigInt(Date.now());

  constructor(private readonly options: PurchasesOptions) {}

  /** Stores the purchase in state ACCEPTED, and schedules its further states. */
  accept(order: Order): Purchase {
    this.lastId += 1n;
    const now = Date.now();
    const sale = this.options.ledger.add({
      reference: order.request.transactionId,
      id: String(this.lastId),
      sku: order.offer.offerId,
      units: 1,
      cost: textOf(order.amounts.cost),
      currency: WALLET_CURRENCY,
      state: 'open',
      at: new Date(now).toISOString(),
    });
    const purchase: Purchase = {
      ...order,
      id: this.lastId,
      createdAt: now,
      sale,
      log: [{ at: now, status: 'ACCEPTED', message: messages.ACCEPTED }],
      status: 'ACCEPTED',
      error: undefined,
      isReserved: false,
      steps: stepsTo(order.outcome),
    };
    this.all.unshift(purchase);
    this.byTransactionId.set(sale.reference, [purchase, ...this.findAll(sale.reference)]);
    this.schedule(purchase);
    return purchase;
  }

  /** The purchases with this `transactionId`, the latest first. */
  findAll(transactionId: string): readonly Purchase[] {
    return this.byTransactionId.get(transactionId) ?? [];
  }

  /** Every purchase, the latest first. The documentation does not give the order. */
  list(): readonly Purchase[] {
    return this.all;
  }

  /** Brings the purchase to its outcome now. Has no effect if the purchase has reached it. */
  finish(purchase: Purchase): void {
    while (purchase.steps.length > 0) this.advance(purchase);
  }

  clear(): void {
    this.timers.clear();
    this.byTransactionId.clear();
    this.all.length = 0;
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
    purchase.isReserved = this.options.account.reserve(purchase.amounts.cost);
    return purchase.isReserved;
  }

  private enter(purchase: Purchase, status: Status, error?: string): void {
    purchase.status = status;
    purchase.error = error;
    purchase.log.push({ at: Date.now(), status, message: messages[status] });
    if (isFinal(status)) this.settle(purchase);
    if (status === 'IN_PROGRESS') this.logRetries(purchase, 1);
    this.options.onState(purchase);
  }

  private settle({ sale, amounts, status, isReserved, ...purchase }: Purchase): void {
    const { account, esims } = this.options;
    if (isVoid(status)) {
      if (isReserved) account.restore(amounts.cost);
      sale.state = 'void';
    } else {
      sale.state = 'sold';
      esims.deliver(purchase);
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

function stepsTo({ status, error, delayMs }: Outcome): Step[] {
  const before = statesBefore(status, error === 'INSUFFICIENT_FUNDS');
  const onTheWay = before.map((state, index) => ({
    status: state,
    afterMs: Math.min((delayMs * (index + 1)) / 4, latestMs[state] ?? 0),
  }));
  return [...onTheWay, { status, ...(error !== undefined && { error }), afterMs: delayMs }];
}
