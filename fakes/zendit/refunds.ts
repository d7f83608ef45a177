/** Refunds of eSIM purchases. The documentation names the calls and the fields. The rules are the fake's own. */
import type { Account } from '../kit/account';
import { Timers } from '../kit/timers';
import { ApiError, messageOf } from './errors';
import type { Esim } from './esims';
import { profileOf } from './goods';
import { costOf, type Purchase } from './purchases';
import type { Status } from './statuses';

export interface Refund {
  readonly transactionId: string;
  readonly purchase: Purchase;
  status: Status;
}

const usualMs = 300;

export class Refunds {
  private readonly byPurchaseId = new Map<bigint, Refund>();
  private readonly timers = new Timers();

  constructor(
    private readonly account: Account,
    private readonly esims: Map<string, Esim>,
  ) {}

  find({ id }: Purchase): Refund | undefined {
    return this.byPurchaseId.get(id);
  }

  /** Starts the refund, or returns the one that exists. Throws if the purchase is not DONE. */
  request(purchase: Purchase): Refund {
    const existing = this.find(purchase);
    if (existing) return existing;
    if (purchase.status !== 'DONE') {
      throw new ApiError('INVALID_REQUEST', { message: 'Only a purchase in state DONE can be refunded.' });
    }
    const refund: Refund = { transactionId: `refund-${purchase.id}`, purchase, status: 'ACCEPTED' };
    this.byPurchaseId.set(purchase.id, refund);
    this.timers.after(usualMs, () => this.end(refund));
    return refund;
  }

  clear(): void {
    this.timers.clear();
    this.byPurchaseId.clear();
  }

  /** Ends the refund. It fails for a plan of an existing eSIM and for an installed profile, which cannot be taken back. */
  private end(refund: Refund): void {
    const { account, esims } = this;
    const { id, sale } = refund.purchase;
    const esim = esims.get(profileOf(id).iccid);
    if (!esim || esim.installedAt !== undefined) {
      refund.status = 'FAILED';
      return;
    }
    esims.delete(esim.iccid);
    account.restore(costOf(refund.purchase));
    sale.state = 'reversed';
    refund.status = 'DONE';
  }
}

/** The result of `POST .../refund`. The error codes of refunds are not known. */
export function viewRefund({ transactionId, purchase, status }: Refund) {
  const code = 'INVALID_REQUEST';
  return {
    transactionId,
    status,
    refundedTransactionId: purchase.request.transactionId,
    amount: purchase.amounts.cost,
    ...(status === 'FAILED' && { error: { code, message: messageOf(code), description: 'The eSIM was installed.' } }),
  };
}
