/**
 * The guarantees that every run checks, from the facts of the run.
 */
import { Decimal } from 'decimal.js';
import { RECHARGE } from '../actors/client';
import { keyOf } from '../references';
import { afterSaleGuarantees, returnsOf } from './after-sale';
import { nameOf, type Broken, type Check } from './broken';
import { changedAnswerGuarantees } from './changed-answers';
import { fraudGuarantees } from './fraud';
import { type Facts, type OrderFact, surplusKinds } from './facts';
import { hasEnded } from './gather';
import { isLive, replacementsOf } from './inherited';
import { rechargeGuarantees } from './recharges';
import { moneyGuarantees, movedBesides } from './money';
import { replacementGuarantees } from './replacements';

/** All broken guarantees, in the order of the list below. */
export function brokenGuarantees(facts: Facts): Broken[] {
  return Object.entries(guarantees).flatMap(([guarantee, check]) =>
    check(facts).map((broken) => ({ guarantee, ...broken })),
  );
}

const guarantees: Readonly<Record<string, Check>> = {
  'an order request is answered with the order, a rejection, 503 or 504': checkAnswers,
  'an order exists after a 200 and never after a 503': checkOutcomes,
  'every open order is on the attention list with its reason': checkEnds,
  'every double purchase is on the attention list': checkPurchases,
  'all suppliers together sell one unit once': checkUnits,
  'no order fails that no supplier refused': checkFailures,
  'every delivered unit was bought': checkDeliveries,
  ...changedAnswerGuarantees,
  'every undelivered unit that was bought is on the attention list': checkRefunds,
  'clients pay for exactly the readable units': checkMoney,
  'refunds and replacements take at most what the order kept, and no refund is made twice': checkLaterRefunds,
  ...afterSaleGuarantees,
  ...replacementGuarantees,
  ...rechargeGuarantees,
  ...fraudGuarantees,
  ...moneyGuarantees,
  'every balance equals funds plus credits minus debits': checkBalances,
  'no code is shown twice': checkCodes,
  'every event arrives, verified and in order': checkWebhooks,
  'every finished order has exactly one final event': checkEndings,
  'every requested mail is sent once': checkMails,
  'no ended order shows an erased recipient': checkErasures,
  'no eSIM expires because of a wrong supplier clock': checkEsims,
  'every code can be used': checkUsable,
  'most order requests are placed': checkPlaced,
};

function checkAnswers({ attempts }: Facts) {
  const expected = [
    { status: 503, code: 'SERVICE_UNAVAILABLE' },
    { status: 504, code: 'OUTCOME_UNKNOWN' },
    { status: 400, code: 'DUPLICATE_CLIENT_REFERENCE' },
    { status: 400, code: 'VOUCHER_NOT_REDEEMABLE' },
  ];
  // Between the list of its plans and the request, an eSIM may be refunded or claimed, and a plan may change.
  const expectedOfRecharges = [
    ...expected,
    { status: 400, code: 'ESIM_NOT_RECHARGEABLE' },
    { status: 404, code: 'NOT_FOUND' },
  ];
  return attempts
    .filter(({ status, code, scenario }) => {
      if (status === undefined || status === 200) return false;
      const known = scenario.startsWith(RECHARGE) ? expectedOfRecharges : expected;
      return !known.some((answer) => answer.status === status && answer.code === code);
    })
    .map(({ reference, status, code }) => ({ orderIds: [], detail: `${reference}: ${status} ${code}` }));
}

/** Clients may repeat an order request with one reference. One 200 proves an order; only 503s prove that no order exists. */
function checkOutcomes({ attempts, orders, lookedUp }: Facts) {
  const broken: Omit<Broken, 'guarantee'>[] = [];
  for (const reference of new Set(attempts.map((attempt) => attempt.reference))) {
    const answers = attempts.filter((attempt) => attempt.reference === reference);
    const there = orders.filter((order) => order.reference === reference);
    const statuses = answers.map(({ status, code }) => `${status ?? 'no answer'} ${code ?? ''}`.trim());
    const detail = `${reference}: answered ${statuses.join(', ')}; ${there.length} orders`;
    const orderIds = there.map(({ id }) => id);
    const mustExist = answers.some(({ status, code }) => status === 200 || code === 'DUPLICATE_CLIENT_REFERENCE');
    const mayExist = answers.some(({ status }) => status === undefined || status === 504 || status === 200);
    if (there.length > 1 || (mustExist && there.length === 0) || (!mayExist && there.length > 0)) {
      broken.push({ orderIds, detail });
    }
    const shown = answers.flatMap(({ orderId }) => orderId ?? []);
    if (shown.some((id) => !orderIds.includes(id))) broken.push({ orderIds: shown, detail });
    if (lookedUp.has(reference) && lookedUp.get(reference)?.id !== there[0]?.id) {
      broken.push({ orderIds, detail: `${detail}; the lookup by reference says otherwise` });
    }
  }
  return broken;
}

function checkEnds({ orders }: Facts) {
  return orders
    .filter((order) => !hasEnded(order) && !order.listed.some(({ reason }) => reason !== ''))
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}, and not on the attention list` }));
}

function checkPurchases({ orders, strays }: Facts) {
  const broken = orders
    .filter(({ sold, quantity, listed }) => sold > quantity && listed.length === 0)
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: ${order.sold} units were sold` }));
  // A purchase without an order belongs to a fenced reservation, which must not buy.
  return [
    ...broken,
    ...strays.map(({ reference, units }) => ({
      orderIds: [],
      detail: `${units} units were sold under ${reference}, which belongs to no order`,
    })),
  ];
}

/**
 * Faults never make a fake sell twice, so only an operator's decision excuses it. The simulator also lies: for its own sales the
 * attention list must have the order.
 */
function checkUnits({ orders }: Facts) {
  return orders.flatMap((order) => {
    const ofFakes = order.sales.filter(({ supplier }) => supplier !== 'simulator');
    const units = new Map<number, number>();
    for (const { reference, units: sold } of ofFakes) {
      const unit = keyOf(reference)?.first ?? NaN;
      units.set(unit, (units.get(unit) ?? 0) + sold);
    }
    const isTwice = [...units.values()].some((sold) => sold > 1);
    const isTooMany = ofFakes.length > 0 && order.sold > order.quantity;
    if (order.isDecided || (!isTwice && !isTooMany)) return [];
    const sales = order.sales.map(({ supplier, reference, units: sold }) => `${sold} by ${supplier} (${reference})`);
    return [
      { orderIds: [order.id], detail: `${nameOf(order)}: ${order.quantity} were ordered, sold: ${sales.join(', ')}` },
    ];
  });
}

/** The simulator's scenarios fail orders without a trace at the proxy, so only those of the fakes count. */
function checkFailures({ orders }: Facts) {
  return orders
    .filter(({ supplier, status }) => supplier !== 'simulator' && status === 'FAILED')
    .filter(
      ({ isRefused, isDecided, isUnusable, isCancelled }) => !isRefused && !isDecided && !isUnusable && !isCancelled,
    )
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: no purchase was refused` }));
}

function checkDeliveries({ orders }: Facts) {
  // Operators buy goods elsewhere when they deliver by hand. The codes of those goods show it.
  const isByHand = ({ codes, family, isDecided, supplier }: OrderFact) =>
    (family === 'TOPUP' && (isDecided || supplier === 'simulator')) ||
    codes.some((code) => /^OPERATOR-|^8990|rsp\.example/.test(code));
  return orders
    .filter((order) => order.readable > order.sold && !isByHand(order))
    .map((order) => ({
      orderIds: [order.id],
      detail: `${nameOf(order)}: ${order.readable} units are readable, ${order.sold} were sold`,
    }));
}

function checkRefunds({ orders }: Facts) {
  return orders
    .filter((order) => hasEnded(order) && order.sold > order.readable)
    .filter(({ listed }) => !listed.some(({ kind }) => surplusKinds.includes(kind)))
    .map((order) => ({
      orderIds: [order.id],
      detail: `${nameOf(order)}: ${order.sold} units were sold, ${order.readable} are readable, the rest is not on the list`,
    }));
}

/** The client pays for the readable units of a failed order. A cancelled order shows no goods. A replacement has no debit. */
function checkMoney({ orders }: Facts) {
  return orders.flatMap((order) => {
    const { debits, debited, credited, redeemed, readable, quantity, status, replaces } = order;
    const isPaid = debits === (replaces ? 0 : 1);
    const refund = credited.minus(redeemed);
    const kept = debited.times(readable).dividedBy(quantity).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
    const due = hasEnded(order) ? debited.minus(kept) : new Decimal(0);
    const isWhole = status !== 'DELIVERED' || readable === quantity;
    const isEmpty = status !== 'CANCELLED' || readable === 0;
    const isOverdue = order.listed.some(({ kind }) => kind === 'REFUND_DUE');
    if (isPaid && isWhole && isEmpty && (refund.equals(due) || (isOverdue && refund.isZero()))) return [];
    const detail =
      `${nameOf(order)}: ${readable} of ${quantity} readable, ${debits} debits of ${debited.toFixed()}, ` +
      `${credited.toFixed()} credited, of which ${redeemed} were redeemed`;
    return [{ orderIds: [order.id], detail }];
  });
}

/**
 * Automatic refunds are in `credited`, even if one is still due. A replacement takes the price of its unit, unless it failed. What is
 * refunded for a bad replacement is within this price.
 */
function checkLaterRefunds({ orders, afterSale }: Facts) {
  const { replacements } = afterSale;
  return orders.flatMap((order) => {
    const replaced = replacements
      .filter((one) => one.orderId === order.id && isLive(one))
      .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
    const { debited, readable, quantity, refunds, refunded, events } = order;
    const kept = debited.times(readable).dividedBy(quantity).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
    const taken = refunded
      .plus(replaced)
      .minus(Decimal.sum(0, ...returnsOf(order.id, afterSale).map(({ amount }) => amount)));
    const isAllowed = taken.isZero() || (hasEnded(order) && taken.lessThanOrEqualTo(kept));
    const reported = events.filter(({ type }) => type.endsWith('.refunded')).length;
    if (isAllowed && new Set(refunds).size === refunds.length && reported === refunds.length) return [];
    const detail = `${nameOf(order)}: kept ${kept.toFixed()}, refunded ${refunded.toFixed()} by ${refunds.join(', ')}, ${reported} events, replaced ${replaced.toFixed()}`;
    return [{ orderIds: [order.id], detail }];
  });
}

function checkBalances(facts: Facts) {
  const { users, balances, orders } = facts;
  return users.flatMap(({ name, wallet }) => {
    const own = orders.filter(({ client }) => client === name);
    const moved = own.reduce(
      (sum, { debited, credited, refunded }) => sum.minus(debited).plus(credited).plus(refunded),
      new Decimal(0),
    );
    const expected = moved.plus(wallet.funded).plus(movedBesides(facts, name));
    const balance = balances.get(name);
    if (balance?.equals(expected)) return [];
    return [{ orderIds: [], detail: `${name}: holds ${balance?.toFixed()}, not ${expected.toFixed()}` }];
  });
}

function checkCodes({ orders }: Facts) {
  const holders = new Map<string, number[]>();
  for (const { id, codes } of orders) {
    for (const code of codes) holders.set(code, [...(holders.get(code) ?? []), id]);
  }
  return [...holders.values()]
    .filter((ids) => ids.length > 1)
    .map((orderIds) => ({ orderIds, detail: 'they show the same code' }));
}

function checkWebhooks({ orders, users }: Facts) {
  const broken: Omit<Broken, 'guarantee'>[] = [];
  for (const { name, receiver } of users) {
    if (receiver.unverified > 0) {
      broken.push({ orderIds: [], detail: `${name}: ${receiver.unverified} deliveries did not verify` });
    }
    const places = new Map([...receiver.taken].map((id, place) => [id, place]));
    for (const order of orders.filter(({ client }) => client === name)) {
      const arrived = order.events.map(({ id }) => places.get(id));
      const missing = order.events.filter(({ id }) => !places.has(id)).map(({ type }) => type);
      if (missing.length > 0) {
        broken.push({ orderIds: [order.id], detail: `${nameOf(order)}: ${missing.join(', ')} did not arrive` });
      } else if (arrived.some((place, index) => index > 0 && (place ?? 0) < (arrived[index - 1] ?? 0))) {
        const types = order.events.map(({ type }, index) => `${type} as number ${arrived[index]}`);
        broken.push({ orderIds: [order.id], detail: `${nameOf(order)}: arrived as ${types.join(', ')}` });
      }
    }
  }
  return broken;
}

const prefixes = { VOUCHER: 'order', TOPUP: 'topup', ESIM: 'esim' } as const;

function checkEndings({ orders }: Facts) {
  return orders.flatMap((order) => {
    const prefix = prefixes[order.family];
    const types = order.events.map(({ type }) => type);
    const endings = types.filter((type) => /\.(delivered|failed|cancelled)$/.test(type));
    const expected = hasEnded(order) ? [`${prefix}.${order.status.toLowerCase()}`] : [];
    if (String(endings) === String(expected)) return [];
    return [{ orderIds: [order.id], detail: `${nameOf(order)}: events ${types.join(', ') || 'nothing'}` }];
  });
}

/**
 * After a crash a mail may be sent a second time, with the same Message-ID. A replacement has the address of the old order, unless that was
 * erased before.
 */
function checkMails({ orders, users, mails }: Facts) {
  return users.flatMap(({ mailTo }) =>
    [...mailTo].flatMap(([id, address]) => {
      const order = orders.find((candidate) => candidate.id === id);
      if (!order) return [];
      const ids = new Set(mails.filter(({ to }) => to === address).map(({ messageId }) => messageId));
      const own = hasEnded(order) ? 1 : 0;
      const replaced = descendantsOf(id, orders).filter(hasEnded).length;
      const least = own + (order.isErased ? 0 : replaced);
      if (ids.size >= least && ids.size <= own + replaced) return [];
      return [{ orderIds: [id], detail: `${nameOf(order)}: ${ids.size} mails, ${replaced} replacements` }];
    }),
  );
}

/** The replacements of its units, and those of their units. */
function descendantsOf(orderId: number, orders: readonly OrderFact[]): OrderFact[] {
  return replacementsOf(orderId, orders).flatMap((order) => [order, ...descendantsOf(order.id, orders)]);
}

function checkErasures({ orders }: Facts) {
  return orders
    .filter((order) => order.isErased && order.hasRecipient && hasEnded(order))
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: its recipient is readable` }));
}

function checkEsims({ orders }: Facts) {
  return orders
    .filter(({ isExpired }) => isExpired)
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: its profile is EXPIRED` }));
}

/** docs/specification.md: what a code may hold. */
const unusable = /[\p{Cc}\p{Cf}\p{Cs}\ufffd]|^.{4097}/u;

function checkUsable({ orders }: Facts) {
  return orders
    .filter(({ codes }) => codes.some((code) => code === '' || unusable.test(code)))
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: one of its codes cannot be used` }));
}

/** A run proves little if most of its requests were rejected. */
function checkPlaced({ attempts, orders }: Facts) {
  const wanted = new Set(attempts.map(({ reference }) => reference)).size;
  const placed = orders.filter(({ replaces }) => !replaces).length;
  if (placed * 2 > wanted) return [];
  return [{ orderIds: [], detail: `${placed} of ${wanted}` }];
}
