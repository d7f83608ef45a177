/** The guarantees about claims, refunds and the approvals of a second person. */
import { Decimal } from 'decimal.js';
import { REFUND_LIMIT } from '../actors/after-sale';
import type { ClaimFact, RefundFact } from './after-sale-facts';
import type { Check } from './broken';
import type { Facts } from './facts';

export const afterSaleGuarantees: Readonly<Record<string, Check>> = {
  'an accepted claim has one refund, and another claim none': checkClaims,
  'a unit is refunded once, and claimed once at a time': checkSettledUnits,
  'no one refunds more than the rule allows without another person': checkRule,
  'what another person approves is carried out once, and nothing else': checkApprovals,
};

function checkClaims({ afterSale: { claims, refunds } }: Facts) {
  return claims.flatMap((claim) => {
    const { id, orderId, state, outcome, refundNumber } = claim;
    const own = refunds.filter(({ reference }) => reference === `claim-${id}`);
    const isRight = own.every((refund) => refund.orderId === orderId && refund.number === refundNumber);
    const isAccepted = state === 'ACCEPTED' && outcome === 'REFUNDED';
    const expected = isAccepted ? 1 : 0;
    if (isRight && own.length === expected && isAccepted === (state === 'ACCEPTED')) return [];
    const detail = `claim ${id} is ${state} ${outcome ?? ''}: ${own.length} refunds, its own is ${refundNumber ?? 'none'}`;
    return [{ orderIds: [orderId], detail }];
  });
}

function checkSettledUnits({ orders, afterSale: { claims, refunds } }: Facts) {
  const isOpen = ({ state }: ClaimFact) => state === 'OPEN' || state === 'AT_SUPPLIER';
  return orders.flatMap(({ id, readable }) => {
    const own = refunds.filter(({ orderId }) => orderId === id);
    const units = own.reduce((sum, refund) => sum + (refund.units ?? 0), 0);
    const named = own.flatMap(({ unit }) => unit ?? []);
    const claimed = claims.filter((claim) => claim.orderId === id && isOpen(claim)).map(({ unit }) => unit);
    if (units <= readable && isUnique(named) && isUnique(claimed)) return [];
    const detail = `order ${id}: ${units} of ${readable} units refunded (${named.join(', ')}), open claims about ${claimed.join(', ')}`;
    return [{ orderIds: [id], detail }];
  });
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Every wallet of a client has one currency here. The clock of the database steps by more than a day. */
function checkRule({ afterSale: { refunds } }: Facts) {
  const alone = refunds.filter(({ approver }) => approver === null);
  return refunds.flatMap((refund) => {
    const { orderId, number, operator, approver, at } = refund;
    if (approver !== null) {
      return approver === operator
        ? [{ orderIds: [orderId], detail: `${operator} approved refund ${number}` }]
        : [];
    }
    const sum = alone
      .filter((one) => isSamePurse(one, refund) && one.at <= at && one.at > at - DAY_MS)
      .reduce((total, { amount }) => total.plus(amount), new Decimal(0));
    if (sum.lessThanOrEqualTo(REFUND_LIMIT)) return [];
    const detail = `refund ${number} of order ${orderId}: ${operator} has refunded ${sum.toFixed()} alone`;
    return [{ orderIds: [orderId], detail }];
  });
}

function isSamePurse(one: RefundFact, other: RefundFact): boolean {
  return one.clientId === other.clientId && one.operator === other.operator;
}

/** A rejected refund may be proposed again under its reference. */
function checkApprovals({ afterSale: { refunds, proposals } }: Facts) {
  const references = new Set([...refunds, ...proposals].map(({ reference }) => reference));
  return [...references].flatMap((reference) => {
    const carriedOut = refunds.filter((refund) => refund.reference === reference && refund.approver !== null);
    const about = proposals.filter((proposal) => proposal.reference === reference);
    const approvers = about.filter(({ state }) => state === 'APPROVED').map(({ decidedBy }) => decidedBy);
    const isRight = approvers.length <= 1 && carriedOut.length === approvers.length;
    if (isRight && carriedOut.every(({ approver }) => approver === approvers[0])) return [];
    const states = about.map(
      ({ id, state, decidedBy }) => `proposal ${id} ${state} by ${decidedBy ?? 'no one'}`,
    );
    const orderIds = [...new Set(carriedOut.map(({ orderId }) => orderId))];
    return [
      { orderIds, detail: `${reference}: ${states.join(', ')}; ${carriedOut.length} approved refunds` },
    ];
  });
}
