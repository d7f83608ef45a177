/** The guarantees about claims, refunds and the approvals of a second person. */
import { Decimal } from 'decimal.js';
import { REFUND_LIMIT, refundOf } from '../actors/after-sale';
import type { AfterSaleFacts, ClaimFact } from './after-sale-facts';
import { nameOf, type Check } from './broken';
import { paidUnitOf, valueOf } from './fraud';
import { type Facts, type OrderFact } from './facts';
import { hasEnded } from './gather';
import { isLive } from './inherited';

export const afterSaleGuarantees: Readonly<Record<string, Check>> = {
  'an accepted claim has one refund or one replacement, and another claim neither': checkClaims,
  'a unit is refunded or replaced once, and claimed once at a time': checkSettledUnits,
  'no one gives more than the rule allows without another person': checkRule,
  'what another person approves is carried out once, and nothing else': checkApprovals,
};

function checkClaims({ orders, afterSale: { claims, refunds } }: Facts) {
  const byId = new Map(orders.map((order) => [order.id, order]));
  const named = new Set(claims.map(({ replacementId }) => replacementId));
  const unnamed = orders
    .filter((order) => order.replaces && isLive(order) && !named.has(order.id))
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)} replaces a unit, and no claim names it` }));
  const wrong = claims.flatMap((claim) => {
    const { id, orderId, state, outcome, refundNumber, replacementId } = claim;
    const own = refunds.filter(({ reference }) => reference === refundOf(id));
    // A claim about a replacement refunds the order that was paid.
    const paid = paidUnitOf(claim, orders);
    const isRefund = own.length === 1 && own[0]?.orderId === paid.orderId && own[0].number === refundNumber;
    const replacement = replacementId === null ? undefined : byId.get(replacementId);
    const hasNone = own.length === 0 && refundNumber === null;
    const isRight =
      state !== 'ACCEPTED'
        ? hasNone && outcome === null && replacementId === null
        : outcome === 'REFUNDED'
          ? isRefund && replacementId === null
          : hasNone && replacement !== undefined && isReplacedBy(claim, replacement);
    if (isRight) return [];
    const shown = replacement ? `order ${replacement.id} (${replacement.status})` : (replacementId ?? 'none');
    const detail = `claim ${id} is ${state} ${outcome ?? ''}: ${own.length} refunds, its own is ${refundNumber ?? 'none'}, its replacement ${shown}`;
    return [{ orderIds: [orderId], detail }];
  });
  return [...wrong, ...unnamed];
}

/** Whether the order replaces the claimed unit, and the claim has the outcome REPLACED if it was delivered. An open order has none yet. */
function isReplacedBy({ orderId, unit, outcome }: ClaimFact, replacement: OrderFact): boolean {
  const { replaces, status } = replacement;
  if (replaces?.orderId !== orderId || replaces.unit !== (unit ?? 1)) return false;
  return outcome === 'REPLACED' ? status === 'DELIVERED' : outcome === null && !hasEnded(replacement);
}

function checkSettledUnits({ orders, afterSale }: Facts) {
  const { claims, refunds, replacements } = afterSale;
  const isOpen = ({ state }: ClaimFact) => state === 'OPEN' || state === 'AT_SUPPLIER';
  return orders.flatMap(({ id, readable }) => {
    const returns = returnsOf(id, afterSale);
    const own = refunds.filter((refund) => refund.orderId === id && !returns.includes(refund));
    const replaced = replacements.filter((one) => one.orderId === id && isLive(one)).map(({ unit }) => unit);
    const units = own.reduce((sum, refund) => sum + (refund.units ?? 0), 0) + replaced.length;
    const named = [...own.flatMap(({ unit }) => unit ?? []), ...replaced];
    const claimed = claims.filter((claim) => claim.orderId === id && isOpen(claim)).map(({ unit }) => unit);
    if (units <= readable && isUnique(named) && isUnique(claimed)) return [];
    const detail = `order ${id}: ${units} of ${readable} units refunded or replaced (${named.join(', ')}), open claims about ${claimed.join(', ')}`;
    return [{ orderIds: [id], detail }];
  });
}

/** The refunds of the order for units that other orders replace: those of claims about the replacements. */
export function returnsOf(orderId: number, { claims, refunds }: AfterSaleFacts) {
  const aboutOthers = claims.filter((claim) => claim.orderId !== orderId).map(({ id }) => refundOf(id));
  return refunds.filter((refund) => refund.orderId === orderId && aboutOthers.includes(refund.reference));
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

type Given = AfterSaleFacts['refunds' | 'replacements'][number];

const givenIn = ({ refunds, replacements }: AfterSaleFacts): Given[] => [...refunds, ...replacements];

/** Every wallet of a client has one currency here. The clock of the database steps by more than a day. */
function checkRule({ afterSale }: Facts) {
  const { refunds, replacements } = afterSale;
  const given = [...refunds, ...replacements.map((one) => ({ ...one, amount: valueOf(one, replacements) }))];
  const alone = given.filter(({ approver }) => approver === null);
  return given.flatMap((one) => {
    const { orderId, reference, operator, approver, at } = one;
    if (approver !== null) {
      return approver === operator
        ? [{ orderIds: [orderId], detail: `${operator} approved the own ${reference}` }]
        : [];
    }
    const sum = alone
      .filter((other) => isSamePurse(other, one) && other.at <= at && other.at > at - DAY_MS)
      .reduce((total, { amount }) => total.plus(amount), new Decimal(0));
    if (sum.lessThanOrEqualTo(REFUND_LIMIT)) return [];
    const detail = `${reference} of order ${orderId}: ${operator} has given ${sum.toFixed()} alone`;
    return [{ orderIds: [orderId], detail }];
  });
}

function isSamePurse(one: Given, other: Given): boolean {
  return one.clientId === other.clientId && one.operator === other.operator;
}

/** A rejected refund may be proposed again under its reference, and a claim whose replacement failed may be replaced again. */
function checkApprovals({ afterSale }: Facts) {
  const { proposals } = afterSale;
  const given = givenIn(afterSale);
  const references = new Set([...given, ...proposals].map(({ reference }) => reference));
  return [...references].flatMap((reference) => {
    const carriedOut = given.filter((one) => one.reference === reference && one.approver !== null);
    const about = proposals.filter((proposal) => proposal.reference === reference);
    const approved = about.filter(({ state }) => state === 'APPROVED').map(({ decidedBy }) => decidedBy);
    const approvers = carriedOut.map(({ approver }) => approver);
    if (String(approvers.sort()) === String(approved.sort())) return [];
    const states = about.map(({ id, state, decidedBy }) => `proposal ${id} ${state} by ${decidedBy ?? 'no one'}`);
    const orderIds = [...new Set(carriedOut.map(({ orderId }) => orderId))];
    const detail = `${reference}: ${states.join(', ')}; ${carriedOut.length} approved and carried out`;
    return [{ orderIds, detail }];
  });
}
