/** `orders story`: what happened to an order, what it waits for, and what a person can do about it. */
import { listAudit, type ListedAudit } from '../../../data/audit/audit-entries';
import { findOrderOutcome, findOrderReport, type OrderReport } from '../../../data/orders/operator-reads';
import { readTimeline } from '../../../data/orders/client-orders';
import { listOperatedClaims } from '../../../data/orders/operated-claims';
import {
  listAttentionWork,
  listClaimDecisions,
  listPastAttention,
  readOrderMoney,
  type AttentionWork,
  type ClaimDecision,
  type PastAttention,
} from '../../../data/orders/order-story';
import type { Role } from '../../../domain/operators/roles';
import { commandsAbout, waitsFor, type StandingOrder } from '../../../domain/orders/order-choices';
import { withoutCosts } from '../../../domain/cost-texts';
import { choiceInWords } from '../../../domain/orders/fail-over';
import { orderWorkflowId } from '../../../domain/orders/order-ids';
import { actionsOf, type OfferedAction } from '../actions';
import { word } from '../arguments';
import type { Context } from '../context';
import { id } from '../kinds';
import { everyRole, operation, type Page, type Plain } from '../operation';
import { readsTexts, withOpenedReport, withOpenedTexts, withReadableReasons } from '../order-texts';
import { attentionEntries, type AttentionOfPerson } from '../service/attention';
import { table, wrapped } from '../text';
import { seesCosts } from '../visible-costs';
import { priceText, readMoneyReport, type MoneyReport } from './money-report';
import { timelineOf } from './order-timeline';
import type { StoryEntry } from './story-entry';

/** The newest entries of the audit and of the timeline that a story shows. An order of thousands of units has more. */
const MAX_ENTRIES = 1_000;

interface Story {
  order: StoryOrder;
  waits_for: string | null;
  money: MoneyReport;
  /** What the story leaves out, and why. */
  hidden: string[];
  timeline: StoryEntry[];
  purchases: StoryPurchase[];
  attention: AttentionOfPerson[];
  actions: OfferedAction[];
}

type StoryOrder = Pick<OrderReport, (typeof orderFields)[number]> & { workflow_id: string };
type StoryPurchase = Pick<OrderReport['purchases'][number], (typeof purchaseFields)[number]> & { why: string | null };

const orderFields = [
  'id',
  'family',
  'status',
  'client_id',
  'client',
  'client_reference',
  'product_id',
  'product_name',
  'country_code',
  'quantity',
  'delivered_quantity',
  'wallet_id',
  'failure_code',
  'placed_at',
  'completed_at',
  'api_key',
  'request_id',
  'replaces_order_id',
  'replaces_unit',
  'replacement_count',
  'recharges_order_id',
  'recharge_order_ids',
] as const;

const purchaseFields = [
  'reference',
  'supplier',
  'sku',
  'state',
  'units',
  'stored',
  'cost',
  'cost_currency',
  'replaces',
  'supplier_order_id',
  'failure_code',
] as const;

export const story = operation({
  name: 'orders story',
  button: 'Show the story',
  about:
    'What happened to an order, its money, what it waits for, and what you can do. Codes and recipients stay sealed',
  roles: everyRole,
  effect: 'reads',
  arguments: { order: word(id, 'id') },
  run: (context, { order: orderId }) => readStory(context, orderId),
  text: storyText,
});

async function readStory(context: Context, orderId: number): Promise<Story> {
  const { database, role } = context;
  // First: a page stops reading once the order waits for nothing, and the later reads must have what ended it.
  const [outcome, money] = await Promise.all([
    findOrderOutcome(database, orderId),
    readOrderMoney(database, orderId, { withCosts: seesCosts({ role }) }),
  ]);
  const found = await findOrderReport(database, orderId);
  if (!found) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
  const { nonce } = found;
  const [report, moneyShown, events, past, work, audit, attention, claims, decisions] = await Promise.all([
    withOpenedReport(context, found.report),
    readMoneyReport(database, orderId, money, outcome),
    readTimeline(database, found.report.client_id, orderId),
    pastAttention(context, orderId),
    workOnAttention(context, orderId),
    auditOf(context, orderId),
    attentionEntries(context, { orderId }),
    listOperatedClaims(database, { orderId, limit: MAX_ENTRIES }),
    decisionsAbout(context, orderId),
  ]);
  const refundDue = money.refundDue && `${money.refundDue} ${money.currency}`;
  const standing: StandingOrder = { ...outcome, ...money, id: orderId, refundDue };
  const sources = {
    report: visibleReport(context, report),
    events: events?.events ?? [],
    attention: past,
    work,
    audit,
    claims,
    decisions,
  };
  const timeline = timelineOf(sources);
  return {
    order: { ...picked(report, orderFields), workflow_id: orderWorkflowId(orderId, nonce) },
    waits_for: waitsFor(standing),
    money: moneyShown,
    hidden: hiddenFor(role, timeline.length),
    timeline: timeline.slice(-MAX_ENTRIES),
    purchases: sources.report.purchases
      .slice(-MAX_ENTRIES)
      .map((purchase) => ({ ...picked(purchase, purchaseFields), why: choiceInWords(purchase.why) })),
    attention,
    actions: await actionsOf(context, commandsAbout(standing)),
  };
}

/** The report as the role reads it. The timeline has the costs of purchases as amounts of its steps. */
function visibleReport(reader: { role: Role }, report: OrderReport): OrderReport {
  if (seesCosts(reader)) return report;
  const purchases = report.purchases.map((purchase) => ({ ...purchase, cost: null, why: withoutCosts(purchase.why) }));
  return { ...report, purchases };
}

async function auditOf(context: Context, orderId: number): Promise<ListedAudit[]> {
  const filter = { object: `order/${orderId}`, limit: MAX_ENTRIES };
  return withReadableReasons(context, await listAudit(context.database, filter));
}

/** The decisions of operators about the claims of the order, with sealed reasons opened. */
async function decisionsAbout(context: Context, orderId: number): Promise<ClaimDecision[]> {
  return withOpenedTexts(context, await listClaimDecisions(context.database, orderId, MAX_ENTRIES), 'reason');
}

/** What operators did about the order's entries of the attention list, with sealed notes and reasons opened. */
async function workOnAttention(context: Context, orderId: number): Promise<AttentionWork[]> {
  return withOpenedTexts(context, await listAttentionWork(context.database, orderId, MAX_ENTRIES), 'text');
}

/** The entries of the attention list about the order, with sealed settlements opened. */
async function pastAttention(context: Context, orderId: number): Promise<PastAttention[]> {
  return withOpenedTexts(context, await listPastAttention(context.database, orderId), 'settlement');
}

function picked<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  // Every name of the list is there.
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}

function hiddenFor(role: Role, entries: number): string[] {
  return [
    ...(seesCosts({ role }) ? [] : ['Your role does not see the costs and the margin of the order.']),
    ...(readsTexts({ role }) ? [] : ['Your role reads “hidden” in place of what others wrote about the order.']),
    ...(entries > MAX_ENTRIES ? [`Only the newest ${MAX_ENTRIES} of ${entries} entries are shown.`] : []),
  ];
}

function storyText(
  { order, waits_for: waits, money, hidden, timeline, actions }: Plain<Story>,
  { columns, tableColumns }: Page,
) {
  const { id: orderId, status, delivered_quantity: delivered, quantity, product_name: product, client } = order;
  const lines = [
    `Order ${orderId} of ${client} is ${status}: ${delivered} of ${quantity} units of ${product} delivered`,
    waits ?? 'Nothing is left to do.',
    `Workflow: ${order.workflow_id}`,
    ...priceText(money),
    money.now,
    ...hidden,
  ];
  const { debited, refunded, refund_due: due, kept, cost, margin, currency } = money;
  const steps = timeline.map(({ at, text, by, detail, changed }) =>
    // The text of a deed ends with its person.
    [at, text, text.endsWith(` by ${by}.`) ? null : by, detail, changed].filter((part) => part !== null).join('  '),
  );
  return [
    ...lines.map((line) => wrapped(line, columns)),
    table([{ currency, debited, refunded, refund_due: due, kept, cost, margin }], tableColumns),
    ...steps.map((step) => wrapped(step, columns)),
    ...actions.map(({ operation: name, about }) => wrapped(`> ${name}: ${about}`, columns)),
  ].join('\n');
}
