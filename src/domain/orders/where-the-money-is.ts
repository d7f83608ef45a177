/**
 * Where the money of an order is now, for people.
 * Rule: where the money of an order is
 */
import { Exact } from '../prices/money';

/** How an order was paid, and what became of its money. Amounts are decimal strings with the decimals of the currency. */
export interface MoneyOfOrder {
  currency: string;
  /** What was taken from the wallet; 0 if nothing was. */
  debited: string;
  /** Every credited refund. */
  refunded: string;
  /** A refund that is due or decided and not credited; null without one. */
  toGiveBack: string | null;
  isWalletClosed: boolean;
  isOver: boolean;
  /** Whether it waits for a review. */
  isHeld: boolean;
  quantity: number;
  delivered: number;
  /** The purchases that a supplier has or may have, by the supplier of the newest; null without one. */
  withSupplier: string | null;
  /** The order whose unit it replaces. */
  replacesOrderId: number | null;
  /** Whether it is beyond the daily cap of its client, and so debited nothing. */
  isBeyondCap: boolean;
}

/** Where the money is now, in one sentence. */
export function whereMoneyIs(money: MoneyOfOrder): string {
  const { currency, debited, refunded, toGiveBack } = money;
  if (new Exact(debited).isZero()) return nothingTaken(money);
  const left = new Exact(debited).minus(refunded);
  if (!left.isPositive() || left.isZero()) return `Given back: ${debited} ${currency} is in the wallet again.`;
  const kept = `${left.toFixed(decimalsOf(debited))} ${currency}`;
  const given = new Exact(refunded).isZero() ? '' : ` ${refunded} ${currency} was given back.`;
  if (!money.isOver) return `${whileOpen(money, kept)}${given}`;
  if (toGiveBack !== null) {
    const why = money.isWalletClosed ? 'the wallet is closed' : 'it is not credited yet';
    return `With us: ${kept}, of which ${toGiveBack} ${currency} is to be given back; ${why}.${given}`;
  }
  return `With us: ${kept}, for ${unitsOf(money)}.${given}`;
}

function nothingTaken({ replacesOrderId, isBeyondCap }: MoneyOfOrder): string {
  if (replacesOrderId !== null)
    return `No money was taken: it replaces a unit of order ${replacesOrderId}, which was paid.`;
  return isBeyondCap
    ? 'No money was taken: the order is beyond the daily cap of the client.'
    : 'No money was taken: the price is 0.';
}

function whileOpen(money: MoneyOfOrder, kept: string): string {
  const { isHeld, withSupplier, delivered } = money;
  const some = delivered > 0 ? ` ${unitsOf(money)}.` : '';
  if (isHeld) return `With us: ${kept}. The order waits for a review, and nothing is bought.`;
  if (withSupplier !== null) return `With the supplier ${withSupplier}, who has not answered: ${kept}.${some}`;
  return `With us: ${kept}. No supplier has it.${some}`;
}

const unitsOf = ({ delivered, quantity }: MoneyOfOrder) => `${delivered} of ${quantity} units delivered`;

const decimalsOf = (amount: string) => amount.split('.')[1]?.length ?? 0;
