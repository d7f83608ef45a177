/** The orders of our account, and how they end. */
import { EventEmitter, once } from 'node:events';
import type { Decimal } from 'decimal.js';
import type { FakeContext } from '../kit/fake';
import type { Accepted } from '../kit/ledger';
import { rounded } from '../kit/money';
import { OrderStore } from '../kit/order-store';
import { businessError, isErrorCode, statusError } from './errors';
import { addPlan, newEsim, type Esim } from './esims';
import { simOf, type Sim } from './goods';
import type { Package } from './packages';
import type { OrderRequest } from './requests';

export interface Outcome {
  /** The code or state word with which the order ends. Without it, the order completes. */
  readonly word: string | undefined;
  /** The time from acceptance to the final state. */
  readonly delayMs: number;
  /** The time from delivery to the refund, if `word` is the state of a refund. */
  readonly refundAfterMs: number;
}

/** An order before it has an id. Prices are for one unit. */
export interface Draft {
  readonly request: OrderRequest;
  readonly pkg: Package;
  readonly retail: Decimal;
  readonly cost: Decimal;
  readonly outcome: Outcome;
}

export interface Order extends Draft, Accepted {
  readonly id: number;
  /** The slug of the state (`filter[order_status]`), or undefined before the end. */
  status: string | undefined;
}

const refunds = ['refunded', 'partially_refunded'];
/** Airalo does not state the maximum length. The fake keeps this number of characters and drops the rest silently. */
const keptDescription = 64;

export class Orders extends OrderStore<Order> {
  private readonly ends = new EventEmitter().setMaxListeners(0);
  private cleared = new AbortController();
  /** Continues after `clear` and after a restart, because Airalo never gives an id twice. */
  private lastId = Date.now();

  constructor(
    private readonly context: FakeContext,
    private readonly esims: Map<string, Esim>,
  ) {
    super();
  }

  /** Spends the money and stores the order. Throws code 11 and changes nothing if the money is not available. */
  accept(draft: Draft): Order {
    const total = draft.cost.times(draft.request.quantity);
    const { account, ledger } = this.context;
    if (!account.spend(total)) throw businessError(11);
    this.lastId += 1;
    const id = this.lastId;
    const { description: reference = '', quantity: units } = draft.request;
    const accepted = ledger.open({ reference, id, sku: draft.pkg.id, units, cost: total });
    const order = this.add({ ...draft, ...accepted, id, status: undefined });
    if (draft.outcome.delayMs === 0) this.finish(order);
    else this.timers.after(draft.outcome.delayMs, () => this.finish(order));
    return order;
  }

  /** The first order with this description as received. */
  first(description: string): Order | undefined {
    return this.withReference(description).at(-1);
  }

  /** Every order that has ended, the latest first. Unfinished orders are missing: Airalo does not state when it lists them. */
  override list(): readonly Order[] {
    return super.list().filter(({ status }) => status !== undefined);
  }

  private finish(order: Order): void {
    const { word, refundAfterMs } = order.outcome;
    if (word === undefined || refunds.includes(word)) {
      order.status = 'completed';
      order.sale.state = 'sold';
      for (const sim of simsOf(order)) this.esims.set(sim.iccid, newEsim(sim, order));
      const recharged = this.esims.get(order.request.iccid ?? '');
      if (recharged) addPlan(recharged, order);
      if (word !== undefined) this.timers.after(refundAfterMs, () => this.refund(order, word));
    } else {
      order.status = isErrorCode(word) ? 'failed' : word;
      order.sale.state = 'void';
      this.context.account.restore(order.cost.times(order.request.quantity));
    }
    this.ends.emit(String(order.id));
  }

  /** Resolves when the order has ended. Throws 503 if the fake is reset before that. */
  async waitForEnd({ id, status }: Order): Promise<void> {
    if (status !== undefined) return;
    await once(this.ends, String(id), { signal: this.cleared.signal }).catch(() => {
      throw statusError(503);
    });
  }

  override clear(): void {
    super.clear();
    this.cleared.abort();
    this.cleared = new AbortController();
  }

  /** Returns the money of the order, or half of it. The eSIMs stay as they are: the documentation does not say what ends them. */
  private refund(order: Order, status: string): void {
    const isWhole = status === 'refunded';
    order.status = status;
    if (isWhole) order.sale.state = 'reversed';
    const total = order.cost.times(order.request.quantity);
    this.context.account.restore(isWhole ? total : rounded(total.div(2)));
  }
}

/** The eSIMs that the order has if it is delivered. */
export function simsOf({ id, request, pkg }: Order): Sim[] {
  if (pkg.isTopup) return [];
  const traits = { hasConfirmationCode: pkg.hasConfirmationCode, hasNumber: pkg.voice !== null };
  return Array.from({ length: request.quantity }, (_, index) => simOf(id, index, traits));
}

/** Whether an order in this state has its eSIMs. */
export function isDelivered(status: string | undefined): boolean {
  return status === 'completed' || (status !== undefined && refunds.includes(status));
}

/** The description as Airalo shows and searches it. */
export function shownDescription({ request }: Order): string | null {
  return request.description?.slice(0, keptDescription) ?? null;
}
