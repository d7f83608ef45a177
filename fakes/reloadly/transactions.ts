/** The accepted purchases of one product, with their states, our account and the ledger. */
import type { Decimal } from 'decimal.js';
import type { FakeContext } from '../kit/fake';
import type { Accepted } from '../kit/ledger';
import { rounded } from '../kit/money';
import { OrderStore } from '../kit/order-store';
import type { Debit } from './balances';
import { apiError } from './errors';
import { sendStatusWebhook, type WebhookType } from './status-webhooks';

/** The documented statuses. Some sources have `PENDING` beside `PROCESSING`. */
const statusWords = ['SUCCESSFUL', 'PROCESSING', 'PENDING', 'FAILED', 'REFUNDED'] as const;
export type StatusWord = (typeof statusWords)[number];

/** The state that a purchase reaches. `PROCESSING` and `PENDING` mean that it never ends. */
export interface Outcome {
  status: StatusWord;
  /** The error code, for products whose responses have a field for it. */
  code: string | null;
}

/** A checked purchase request, priced. */
export interface Draft<Details> {
  readonly sku: string;
  readonly reference: string | undefined;
  readonly units: number;
  readonly cost: Decimal;
  readonly details: Details;
}

export interface Transaction<Details> extends Draft<Details>, Outcome, Accepted {
  readonly id: number;
  readonly debit: Debit;
  /** Whether the final state comes after the response. Only such purchases have a webhook. */
  isAsync: boolean;
  endedAt: number | undefined;
}

export interface ShopTerms {
  readonly insufficientCode: string;
  /** Undefined for a product without webhooks. */
  readonly webhook: WebhookType | undefined;
  /** Whether reports omit purchases without a final state. */
  readonly hidesUnfinished: boolean;
}

/** The status word for a code of a mode; undefined for an error code. */
export function statusWordOf(code: string): StatusWord | undefined {
  return statusWords.find((word) => word === code);
}

export function isFinal(status: StatusWord): boolean {
  return status === 'SUCCESSFUL' || status === 'FAILED' || status === 'REFUNDED';
}

export class Shop<Details> extends OrderStore<Transaction<Details>> {
  /**
   * Every product starts at the same number, so ids are unique within a product only. The number grows with the
   * clock, so a restarted fake does not use an id twice. It fits 31 bits.
   */
  private nextId = Math.floor(Date.now() / 100) % 1_000_000_000;

  constructor(
    readonly context: FakeContext,
    private readonly terms: ShopTerms,
  ) {
    super();
  }

  /** Debits our account and registers the purchase, or throws for a balance that is too low. */
  accept(draft: Draft<Details>, isAsync: boolean): Transaction<Details> {
    const { account, ledger, modes } = this.context;
    const cost = rounded(draft.cost.times(modes.of(draft.sku).price_factor ?? 1));
    const oldBalance = account.available;
    if (!account.spend(cost)) throw apiError(this.terms.insufficientCode);
    const debit = { cost, oldBalance, newBalance: account.available, at: account.changedAt };
    const id = this.nextId++;
    const { reference = '', sku, units } = draft;
    const accepted = ledger.open({ reference, id, sku, units, cost });
    const state = { status: 'PROCESSING', code: null, isAsync, endedAt: undefined } as const;
    return this.add({ ...draft, ...state, ...accepted, cost, id, debit });
  }

  /** Gives the purchase its final state and sends the webhook. If the purchase has no goods, returns its price to our account. */
  settle(transaction: Transaction<Details>, { status, code }: Outcome): void {
    transaction.status = status;
    transaction.code = code;
    if (isFinal(status)) transaction.endedAt = Date.now();
    if (status === 'SUCCESSFUL') transaction.sale.state = 'sold';
    if (status === 'FAILED' || status === 'REFUNDED') {
      transaction.sale.state = 'void';
      this.context.account.restore(transaction.cost);
    }
    this.announce(transaction);
  }

  settleLater(transaction: Transaction<Details>, outcome: Outcome, delayMs: number): void {
    this.timers.after(delayMs, () => this.settle(transaction, outcome));
  }

  /** Sends the webhook about the present state, if this purchase has one. */
  announce(transaction: Transaction<Details>): void {
    const { context, terms } = this;
    const status = shownStatus(context, transaction);
    if (terms.webhook) sendStatusWebhook(context, terms.webhook, transaction, status);
  }

  /** The purchases that reports show, the newest first. A search for an identifier ignores case. */
  reported(reference?: string): readonly Transaction<Details>[] {
    const wanted = reference?.toLowerCase();
    return this.list()
      .filter((one) => this.isReported(one))
      .filter((one) => wanted === undefined || one.reference?.toLowerCase() === wanted);
  }

  /** The purchase with this id. Throws a 404 if there is none. */
  get(id: string): Transaction<Details> {
    const found = this.list().find((one) => String(one.id) === id && this.isKnown(one));
    if (!found) throw apiError('TRANSACTION_NOT_FOUND');
    return found;
  }

  /** The purchase with this id. Throws a 404 if there is none, or if reports do not show it. */
  getReported(id: string): Transaction<Details> {
    const found = this.get(id);
    if (!this.isReported(found)) throw apiError('TRANSACTION_NOT_FOUND');
    return found;
  }

  private isReported(one: Transaction<Details>): boolean {
    return this.isKnown(one) && (isFinal(one.status) || !this.terms.hidesUnfinished);
  }

  private isKnown({ sku, createdAt }: Transaction<Details>): boolean {
    return this.context.modes.isVisible(sku, createdAt);
  }
}

/** The status as the buyer sees it. The mode `unknown_state` replaces every word. */
export function shownStatus(context: FakeContext, { sku, status }: { sku: string; status: string }): string {
  return context.modes.of(sku).unknown_state ? 'ON_HOLD' : status;
}
