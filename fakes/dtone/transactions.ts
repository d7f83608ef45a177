/** The transactions of our account, and their states. */
import type { Ledger, Sale } from '../kit/ledger';
import { textOf } from '../kit/money';
import { Timers } from '../kit/timers';
import { ACCOUNT_CURRENCY, type Account } from './account';
import { ApiError } from './errors';
import type { Esims } from './esims';
import type { Outcome } from './outcomes';
import { skuOf, type Product } from './products';
import type { TransactionRequest } from './requests';
import { classOf, isFinal, isVoid, statusOf, type Status } from './statuses';
import type { Amounts } from './terms';

/** A transaction before it has an id. */
export interface Order {
  readonly request: TransactionRequest;
  readonly product: Product;
  readonly amounts: Amounts;
  readonly outcome: Outcome;
}

export interface Transaction extends Order {
  readonly id: bigint;
  readonly createdAt: number;
  readonly sale: Sale;
  confirmedAt: number | undefined;
  status: Status;
}

export interface TransactionsOptions {
  account: Account;
  esims: Esims;
  ledger: Ledger;
  /** Called when a transaction reaches a final state, and when it is reversed. */
  onFinal: (transaction: Transaction) => void;
}

/** From here on, a double cannot represent odd numbers. */
const beyondDoubles = 9_000_000_000_000_000_000n;

export class Transactions {
  private readonly all: Transaction[] = [];
  private readonly byExternalId = new Map<string, Transaction[]>();
  private readonly timers = new Timers();
  /** Continues after `clear` and after a restart, because DT One never gives an id twice. */
  private lastId = BigInt(Date.now());

  constructor(private readonly options: TransactionsOptions) {}

  /**
   * Holds the price and stores the transaction in state CREATED. Throws 1006001 and changes nothing if the money is
   * not available. With `isLargeId`, the id is so large that a reader of doubles gets a wrong id.
   */
  accept(order: Order, isLargeId: boolean): Transaction {
    const cost = order.amounts.wholesale.plus(order.amounts.fee);
    if (!this.options.account.hold(cost)) throw new ApiError(1006001);
    const id = this.nextId(isLargeId);
    const now = Date.now();
    const sale = this.options.ledger.add({
      reference: order.request.external_id,
      id: String(id),
      sku: skuOf(order.product),
      units: 1,
      cost: textOf(cost),
      currency: ACCOUNT_CURRENCY,
      state: 'open',
      at: new Date(now).toISOString(),
    });
    const transaction: Transaction = {
      ...order,
      id,
      createdAt: now,
      sale,
      confirmedAt: undefined,
      status: statusOf('CREATED'),
    };
    this.all.unshift(transaction);
    this.byExternalId.set(sale.reference, [transaction, ...this.findExternal(sale.reference)]);
    return transaction;
  }

  /** The transactions with this external id, the latest first. */
  findExternal(externalId: string): readonly Transaction[] {
    return this.byExternalId.get(externalId) ?? [];
  }

  /** Every transaction, the latest first. The documentation does not give the order. */
  list(): readonly Transaction[] {
    return this.all;
  }

  /** Confirms a transaction in state CREATED. */
  confirm(transaction: Transaction): void {
    const { delayMs } = transaction.outcome;
    transaction.confirmedAt = Date.now();
    transaction.status = statusOf('CONFIRMED');
    this.timers.after(delayMs / 2, () => {
      if (classOf(transaction.status) === 'CONFIRMED') transaction.status = statusOf('SUBMITTED');
    });
    this.timers.after(delayMs, () => this.finish(transaction));
  }

  /** Brings the transaction to its outcome now. It has no effect before confirmation and after the end. */
  finish(transaction: Transaction): void {
    const { status, outcome } = transaction;
    if (transaction.confirmedAt === undefined || isFinal(status)) return;
    this.end(transaction, outcome.status);
  }

  /** Ends the transaction now with this status, even if it is not confirmed. REVERSED follows COMPLETED after the same delay. */
  end(transaction: Transaction, status: Status): void {
    const isReversed = classOf(status) === 'REVERSED';
    if (isReversed) this.timers.after(transaction.outcome.delayMs, () => this.reverse(transaction, status));
    transaction.status = isReversed ? statusOf('COMPLETED') : status;
    if (!isFinal(transaction.status)) return;
    this.settle(transaction);
    this.options.onFinal(transaction);
  }

  clear(): void {
    this.timers.clear();
    this.all.length = 0;
    this.byExternalId.clear();
  }

  private settle(transaction: Transaction): void {
    const { account, esims } = this.options;
    const { amounts, sale, status } = transaction;
    const cost = amounts.wholesale.plus(amounts.fee);
    if (isVoid(status)) {
      account.release(cost);
      sale.state = 'void';
    } else {
      account.capture(cost);
      sale.state = 'sold';
      esims.deliver(transaction);
    }
  }

  private reverse(transaction: Transaction, status: Status): void {
    transaction.status = status;
    this.options.account.refund(transaction.amounts.wholesale.plus(transaction.amounts.fee));
    transaction.sale.state = 'reversed';
    this.options.onFinal(transaction);
  }

  private nextId(isLarge: boolean): bigint {
    this.lastId += 1n;
    return isLarge ? beyondDoubles + this.lastId * 2n + 1n : this.lastId;
  }
}
