/** The transactions of our account, and their states. */
import type { Decimal } from 'decimal.js';
import type { FakeContext } from '../kit/fake';
import type { Accepted } from '../kit/ledger';
import { OrderStore } from '../kit/order-store';
import { ApiError } from './errors';
import { deliver, type Esim } from './esims';
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

export interface Transaction extends Order, Accepted {
  readonly id: bigint;
  confirmedAt: number | undefined;
  status: Status;
}

/** From here on, a double cannot represent odd numbers. */
const beyondDoubles = 9_000_000_000_000_000_000n;

/** The references are the external ids. The documentation does not give the order of lists. */
export class Transactions extends OrderStore<Transaction> {
  /** Continues after `clear` and after a restart, because DT One never gives an id twice. */
  private lastId = BigInt(Date.now());

  /** `onFinal` is called when a transaction reaches a final state, and when it is reversed. */
  constructor(
    private readonly context: FakeContext,
    private readonly esims: Map<string, Esim>,
    private readonly onFinal: (transaction: Transaction) => void,
  ) {
    super();
  }

  /**
   * Spends the price and stores the transaction in state CREATED. Throws 1006001 and changes nothing if the money is
   * not available. With `isLargeId`, the id is so large that a reader of doubles gets a wrong id.
   */
  accept(order: Order, isLargeId: boolean): Transaction {
    const { account, ledger } = this.context;
    const cost = costOf(order);
    if (!account.spend(cost)) throw new ApiError(1006001);
    const id = this.nextId(isLargeId);
    const { external_id: reference } = order.request;
    const accepted = ledger.open({ reference, id, sku: skuOf(order.product), units: 1, cost });
    return this.add({ ...order, ...accepted, id, confirmedAt: undefined, status: statusOf('CREATED') });
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
    this.onFinal(transaction);
  }

  private settle(transaction: Transaction): void {
    const { sale, status } = transaction;
    if (isVoid(status)) {
      this.context.account.restore(costOf(transaction));
      sale.state = 'void';
    } else {
      sale.state = 'sold';
      deliver(this.esims, transaction);
    }
  }

  private reverse(transaction: Transaction, status: Status): void {
    transaction.status = status;
    this.context.account.restore(costOf(transaction));
    transaction.sale.state = 'reversed';
    this.onFinal(transaction);
  }

  private nextId(isLarge: boolean): bigint {
    this.lastId += 1n;
    return isLarge ? beyondDoubles + this.lastId * 2n + 1n : this.lastId;
  }
}

function costOf({ amounts }: Order): Decimal {
  return amounts.wholesale.plus(amounts.fee);
}
