/**
 * The guarantees that every run checks, by the facts of the run and by the proofs of the ops CLI.
 */
import { Decimal } from 'decimal.js';
import type { Operators } from '../actors/operators';
import { type Facts, hasEnded, type OrderFact } from './facts';

/** A broken guarantee. */
export interface Broken {
  guarantee: string;
  /** The affected orders; empty if it concerns no order. */
  orderIds: number[];
  detail: string;
}

type Check = (facts: Facts) => Omit<Broken, 'guarantee'>[];

/** All broken guarantees, in the order of the list below. */
export function brokenGuarantees(facts: Facts): Broken[] {
  return Object.entries(guarantees).flatMap(([guarantee, check]) =>
    check(facts).map((broken) => ({ guarantee, ...broken })),
  );
}

const guarantees: Readonly<Record<string, Check>> = {
  'a create is answered with the order, a refusal, 503 or 504': checkAnswers,
  'a create answered 200 has its order, one answered 503 has none': checkOutcomes,
  'an order is not left open unless an operator is told why': checkEnds,
  'nothing is bought twice without an operator being told': checkPurchases,
  'nothing is delivered that was not bought': checkDeliveries,
  'what was sold and not delivered is on the list': checkRefunds,
  'what was paid is what is readable': checkMoney,
  'wallets hold what was funded less what was kept': checkBalances,
  'no code is shown twice': checkCodes,
  'every event arrives, verified and in order': checkWebhooks,
  'every order that ended is told of once': checkEndings,
  'one mail for each order that wants one': checkMails,
  'no eSIM ends because the clock of its supplier is wrong': checkEsims,
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
  return attempts
    .filter(({ status, code }) => {
      if (status === undefined || status === 200) return false;
      return !expected.some((answer) => answer.status === status && answer.code === code);
    })
    .map(({ reference, status, code }) => ({ orderIds: [], detail: `${reference}: ${status} ${code}` }));
}

/** A create may be sent several times with one reference: one 200 means an order, nothing but 503 none. */
function checkOutcomes({ attempts, orders, lookedUp }: Facts) {
  const broken: Omit<Broken, 'guarantee'>[] = [];
  for (const reference of new Set(attempts.map((attempt) => attempt.reference))) {
    const answers = attempts.filter((attempt) => attempt.reference === reference);
    const there = orders.filter((order) => order.reference === reference);
    const statuses = answers.map(({ status, code }) => `${status ?? 'no answer'} ${code ?? ''}`.trim());
    const detail = `${reference}: answered ${statuses.join(', ')}; ${there.length} orders`;
    const orderIds = there.map(({ id }) => id);
    const mustExist = answers.some(
      ({ status, code }) => status === 200 || code === 'DUPLICATE_CLIENT_REFERENCE',
    );
    const mayExist = answers.some(({ status }) => status === undefined || status === 504 || status === 200);
    if (there.length > 1 || (mustExist && there.length === 0) || (!mayExist && there.length > 0)) {
      broken.push({ orderIds, detail });
    }
    const shown = answers.flatMap(({ orderId }) => orderId ?? []);
    if (shown.some((id) => !orderIds.includes(id))) broken.push({ orderIds: shown, detail });
    if (lookedUp.has(reference) && lookedUp.get(reference)?.id !== there[0]?.id) {
      broken.push({ orderIds, detail: `${detail}; the look-up by reference says otherwise` });
    }
  }
  return broken;
}

function checkEnds({ orders }: Facts) {
  return orders
    .filter((order) => !hasEnded(order) && !order.listed.some(({ reason }) => reason !== ''))
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}, and not on the list` }));
}

function checkPurchases({ orders, strays }: Facts) {
  const broken = orders
    .filter(({ sold, quantity, listed }) => sold > quantity && listed.length === 0)
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: ${order.sold} units were sold` }));
  // An order that is not there was fenced off; it must not buy.
  return [
    ...broken,
    ...strays.map(({ reference, units }) => ({
      orderIds: [],
      detail: `${units} units were sold under ${reference}, which is of no order`,
    })),
  ];
}

function checkDeliveries({ orders }: Facts) {
  // What an operator delivered by hand was bought elsewhere: its codes say so.
  const isByHand = ({ codes, family }: OrderFact) =>
    family === 'TOPUP' || codes.some((code) => /^OPERATOR-|^8990|rsp\.example/.test(code));
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
    .filter(({ listed }) => !listed.some(({ kind }) => kind === 'GOODS_APART'))
    .map((order) => ({
      orderIds: [order.id],
      detail: `${nameOf(order)}: ${order.sold} units were sold, ${order.readable} are readable, none is told of`,
    }));
}

/** Of an order that failed the client pays for what it can read; a cancelled one shows nothing. */
function checkMoney({ orders }: Facts) {
  return orders.flatMap((order) => {
    const { debits, debited, credited, redeemed, readable, quantity, status } = order;
    const refund = credited.minus(redeemed);
    const kept = debited.times(readable).dividedBy(quantity).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
    const due = hasEnded(order) ? debited.minus(kept) : new Decimal(0);
    const isWhole = status !== 'DELIVERED' || readable === quantity;
    const isEmpty = status !== 'CANCELLED' || readable === 0;
    const isOverdue = order.listed.some(({ kind }) => kind === 'REFUND_DUE');
    if (debits === 1 && isWhole && isEmpty && (refund.equals(due) || (isOverdue && refund.isZero())))
      return [];
    const detail =
      `${nameOf(order)}: ${readable} of ${quantity} readable, ${debits} debits of ${debited.toFixed()}, ` +
      `${credited.toFixed()} credited, of which ${redeemed} were redeemed`;
    return [{ orderIds: [order.id], detail }];
  });
}

function checkBalances({ users, balances, orders }: Facts) {
  return users.flatMap(({ name, wallet }) => {
    const own = orders.filter(({ client }) => client === name);
    const moved = own.reduce(
      (sum, { debited, credited }) => sum.minus(debited).plus(credited),
      new Decimal(0),
    );
    const expected = moved.plus(wallet.funded);
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
        broken.push({
          orderIds: [order.id],
          detail: `${nameOf(order)}: ${missing.join(', ')} did not arrive`,
        });
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
    const told = order.events.map(({ type }) => type);
    const endings = told.filter((type) => /\.(delivered|failed|cancelled)$/.test(type));
    const expected = hasEnded(order) ? [`${prefix}.${order.status.toLowerCase()}`] : [];
    if (String(endings) === String(expected)) return [];
    return [{ orderIds: [order.id], detail: `${nameOf(order)}: told ${told.join(', ') || 'nothing'}` }];
  });
}

/** After a crash a mail may leave a second time, but it is the same one: its Message-ID says so. */
function checkMails({ orders, users, mails }: Facts) {
  return users.flatMap(({ mailTo }) =>
    [...mailTo].flatMap(([id, address]) => {
      const order = orders.find((candidate) => candidate.id === id);
      const ids = new Set(mails.filter(({ to }) => to === address).map(({ messageId }) => messageId));
      const expected = order && hasEnded(order) ? 1 : 0;
      if (!order || ids.size === expected) return [];
      return [{ orderIds: [id], detail: `${nameOf(order)}: ${ids.size} mails` }];
    }),
  );
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
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: a code of it cannot be used` }));
}

/** A run proves little if most of its requests were rejected. */
function checkPlaced({ attempts, orders }: Facts) {
  const wanted = new Set(attempts.map(({ reference }) => reference)).size;
  if (orders.length * 2 > wanted) return [];
  return [{ orderIds: [], detail: `${orders.length} of ${wanted}` }];
}

function nameOf({ id, family, status, listed }: OrderFact): string {
  const kinds = [...new Set(listed.map(({ kind }) => kind))].join(', ');
  return `order ${id} (${family}, ${status}${kinds && `, listed: ${kinds}`})`;
}

/** A line of either proof. Other fields are shown as they are. */
type Finding = Record<string, unknown> & { subject?: string; detail?: string };

/** The findings of the two proofs of the ops CLI. */
export async function failedProofs(operators: Operators): Promise<Broken[]> {
  return [
    ...(await findings(operators, 'the books add up', 'ledger', 'verify')),
    ...(await findings(operators, 'supplier, Temporal and books agree', 'reconcile', '--dry-run')),
  ];
}

async function findings(operators: Operators, guarantee: string, ...command: string[]): Promise<Broken[]> {
  const { ok, text } = await operators.run('--json', ...command);
  if (!text.startsWith('[')) return [{ guarantee, orderIds: [], detail: text.trim() }];
  const found = JSON.parse(text) as Finding[];
  if (ok && found.length === 0) return [];
  return found.map((finding) => ({
    guarantee,
    orderIds: orderIn(finding.subject),
    detail: Object.values(finding).filter(Boolean).join(': '),
  }));
}

function orderIn(subject = ''): number[] {
  const id = /^(?:order |voucher )?(\d+)/.exec(subject)?.[1];
  return id === undefined ? [] : [Number(id)];
}
