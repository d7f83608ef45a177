/** What happened to an order, in the sequence of time. */
import type { ListedAudit } from '../../data/audit/audit';
import type { OrderReport } from '../../data/orders/operator-reads';
import type { TimelineEvent } from '../../data/orders/client-orders';
import type { ListedClaim } from '../../data/orders/operated-claims';
import type { AttentionWork, ClaimDecision, PastAttention } from '../../data/orders/order-story';
import { nameOfOperator } from '../../domain/audit';
import { changesIn, deedOf } from '../../domain/audit-deeds';
import { utcTime } from '../../domain/time';
import { shownUrl } from '../../domain/webhooks/shown-url';

export type StoryKind =
  | 'PLACED'
  | 'PURCHASE_CREATED'
  | 'PURCHASE_SENT'
  | 'LOOKUP'
  | 'PURCHASE_RESULT'
  | 'GOODS'
  | 'QUARANTINED'
  | 'LEDGER'
  | 'REFUND'
  | 'EVENT'
  | 'DELIVERY'
  | 'MAIL'
  | 'CLAIM'
  | 'ATTENTION'
  | 'OPERATOR'
  | 'CLIENT'
  | 'ENDED';

/** One step. */
export interface StoryEntry {
  /** As in the API. */
  at: string;
  kind: StoryKind;
  text: string;
  /** Such as why a source was chosen, or the reason of a person. */
  detail: string | null;
  /** What the call of a person or a client changed, such as `Status: pending → cancelled`. */
  changed: string | null;
  /** The person or the program that acted. */
  by: string | null;
  amount: string | null;
  currency: string | null;
  /** The purchase. */
  reference: string | null;
  event_id: string | null;
  endpoint_id: number | null;
}

interface Sources {
  report: OrderReport;
  events: readonly TimelineEvent[];
  attention: readonly PastAttention[];
  work: readonly AttentionWork[];
  audit: readonly ListedAudit[];
  claims: readonly ListedClaim[];
  decisions: readonly ClaimDecision[];
}

/** One of our codes, as a sentence uses it: `REFUND_AFTER` becomes `refund after`. */
const inWords = (code: string) => code.replaceAll('_', ' ').toLowerCase();

type Step = Pick<StoryEntry, 'kind' | 'text'> & Partial<StoryEntry>;

/** The steps of the order, the oldest first. Steps of one time stay in the sequence in which they follow from each other. */
export function timelineOf(sources: Sources): StoryEntry[] {
  const { report, events, attention, work, audit, claims, decisions } = sources;
  const steps = [
    entry(report.placed_at, {
      kind: 'PLACED',
      text: placementText(report),
      ...(report.api_key !== null && { by: report.api_key }),
    }),
    ...report.purchases.flatMap((purchase) => stepsOfPurchase(purchase, report)),
    ...quarantined(report),
    ...audit.map(auditedStep),
    ...claims.map(reportedStep),
    ...decisions.map(decidedStep),
    ...claims.map((claim) => closedStep(claim, decisions)),
    ...report.refunds.map((refund) => refundStep(refund, report.deduction_currency)),
    ...attention.flatMap(stepsOfAttention),
    ...work.map(workStep),
    entry(report.completed_at, {
      kind: 'ENDED',
      text: `The order is ${inWords(report.status)}.`,
      detail: report.failure_code && inWords(report.failure_code),
    }),
    entry(report.mailed_at, { kind: 'MAIL', text: 'The result was mailed.' }),
    entry(report.mail_given_up_at, { kind: 'MAIL', text: 'The mail with the result was given up.' }),
    ...events.flatMap(stepsOfEvent),
  ];
  // What belongs to the placement may have an earlier time: the debit is posted in its transaction.
  const placed = utcTime(report.placed_at);
  return steps
    .filter((step) => step !== undefined)
    .map((step) => (step.at < placed ? { ...step, at: placed } : step))
    .sort((a, b) => a.at.localeCompare(b.at));
}

function entry(at: string | Date | null, step: Step): StoryEntry | undefined {
  if (at === null) return undefined;
  return {
    at: typeof at === 'string' ? utcTime(at) : at.toISOString(),
    detail: null,
    changed: null,
    by: null,
    amount: null,
    currency: null,
    reference: null,
    event_id: null,
    endpoint_id: null,
    ...step,
  };
}

function placementText(report: OrderReport): string {
  const { client, quantity, product_name: product, replaces_order_id: old, replaces_unit: unit } = report;
  return old === null
    ? `${client} ordered ${quantity} x ${product}.`
    : `Placed to replace unit ${unit} of order ${old} of ${client}: ${quantity} x ${product}.`;
}

function stepsOfPurchase(purchase: OrderReport['purchases'][number], { placed_at, purchases }: OrderReport) {
  const { reference, supplier, sku, units, stored, state, why, replaces, attempt } = purchase;
  const { cost, cost_currency: currency, detail, failure_code: code } = purchase;
  const price = cost === null ? {} : { amount: String(cost), currency };
  const replaced = purchases.find((one) => one.reference === replaces);
  const isConcluded = !['READY', 'SENT', 'PENDING'].includes(state);
  const of = { reference, by: supplier };
  return [
    entry(replaced?.updated_at ?? placed_at, {
      kind: 'PURCHASE_CREATED',
      text: `${supplier} is to deliver ${units} x ${sku}.`,
      detail: `Chosen: ${why}.${replaces === null ? '' : ` Replaces ${replaces}.`}`,
      reference,
    }),
    entry(purchase.sent_at, {
      kind: 'PURCHASE_SENT',
      text: `Sent to ${supplier}, attempt ${attempt}.`,
      reference,
    }),
    entry(purchase.asked_at, { kind: 'LOOKUP', text: `${supplier} was last polled.`, reference }),
    isConcluded
      ? entry(purchase.updated_at, {
          kind: 'PURCHASE_RESULT',
          text: `The purchase at ${supplier} is ${inWords(state)}.`,
          ...of,
          ...price,
          detail: detail ?? (code && inWords(code)),
        })
      : undefined,
    stored > 0
      ? entry(purchase.updated_at, { kind: 'GOODS', text: `Stored units: ${stored} of ${units}.`, ...of })
      : undefined,
    entry(purchase.reversed_at, {
      kind: 'PURCHASE_RESULT',
      text: `${supplier} reversed the purchase.`,
      ...of,
    }),
  ];
}

/** One step for all units of a purchase that were quarantined for one reason. */
function quarantined({ quarantined_goods: goods }: OrderReport) {
  const groups = new Map<string, OrderReport['quarantined_goods']>();
  for (const unit of goods) {
    const key = `${unit.reference} ${unit.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), unit]);
  }
  return [...groups.values()].map((units) => {
    const [first] = units;
    if (!first) return undefined;
    const text = `Quarantined units: ${units.length} (${inWords(first.reason)}).`;
    return entry(first.received_at, {
      kind: 'QUARANTINED',
      text,
      detail: first.defect,
      reference: first.reference,
    });
  });
}

function auditedStep(audited: ListedAudit) {
  const { at, actor, operator, reason, api_key: key, moved } = audited;
  if (moved) {
    const { kind, amount, currency, balance_after: balance } = moved;
    const isDebit = amount.startsWith('-');
    const text = `${isDebit ? 'Debited' : 'Credited'} ${amount.replace('-', '')} ${currency}: ${inWords(kind)}. The balance is ${balance} ${currency}.`;
    return entry(at, { kind: 'LEDGER', text, detail: reason, by: operator, amount, currency });
  }
  const done = { text: `${deedOf(audited)}.`, changed: changesIn(audited) || null };
  if (actor === 'CLIENT') return entry(at, { kind: 'CLIENT', ...done, by: key });
  const by = operator && nameOfOperator(operator);
  return entry(at, { kind: 'OPERATOR', ...done, detail: reason, by });
}

/** Why a refund after delivery was made. Its ledger entry is a step of its own. */
function refundStep(refund: OrderReport['refunds'][number], currency: string) {
  const { number, amount, unit, units, reason_code: code, operator, created_at: at, note } = refund;
  const part = unit !== null ? `unit ${unit}, ` : units !== null ? `${units} units, ` : '';
  return entry(at, {
    kind: 'REFUND',
    text: `Refund ${number}: ${part}${amount} ${currency}, ${inWords(code)}.`,
    detail: note,
    by: operator,
    amount: String(amount),
    currency,
  });
}

function reportedStep({ id, client, unit, kind, created_at: at }: ListedClaim) {
  const what = unit === null ? 'the goods' : `unit ${unit}`;
  return entry(at, {
    kind: 'CLAIM',
    text: `Claim ${id}: ${client} reported ${what}, ${inWords(kind)}.`,
    by: client,
  });
}

function decidedStep({ claimId, at, operator, approver, reason, ...decision }: ClaimDecision) {
  const approval = approver === null ? '' : ` ${approver} approved it.`;
  const text = `Claim ${claimId} ${decisionText(decision)}.${approval}`;
  return entry(at, { kind: 'CLAIM', text, detail: reason, by: operator });
}

function decisionText({
  state,
  refundOrderId,
  refundNumber,
  replacementOrderId,
}: Pick<ClaimDecision, 'state' | 'refundOrderId' | 'refundNumber' | 'replacementOrderId'>): string {
  if (state === 'AT_SUPPLIER') return 'was sent to the supplier';
  if (state === 'REJECTED') return 'was rejected';
  if (replacementOrderId !== null) return `was accepted: order ${replacementOrderId} replaces the unit`;
  if (refundNumber === null) return `is ${inWords(state)}`;
  // Before refunds named their order, each was one of the claimed order.
  return `was accepted: refund ${refundNumber}${refundOrderId === null ? '' : ` of order ${refundOrderId}`}`;
}

/**
 * The end of a claim, which may follow its acceptance: a refund waits for its wallet, and a replacement for its delivery. A decision has
 * a later time than what its transaction writes.
 */
function closedStep(
  { id, state, outcome, replacement_order_id: other, closed_at: closedAt }: ListedClaim,
  newestDecisions: readonly ClaimDecision[],
) {
  const decided = newestDecisions.find(({ claimId }) => claimId === id)?.at;
  const at = closedAt && decided && decided > closedAt ? decided : closedAt;
  const by = outcome === 'REPLACED' ? ` by order ${other}` : '';
  return entry(at, { kind: 'CLAIM', text: `Claim ${id} is closed: ${inWords(outcome ?? state)}${by}.` });
}

function stepsOfAttention({
  kind,
  reason,
  since,
  cleared_at: cleared,
  settlement,
  cleared_by: by,
}: PastAttention) {
  return [
    entry(since, { kind: 'ATTENTION', text: `Needs attention: ${inWords(kind)}.`, detail: reason }),
    entry(cleared, { kind: 'ATTENTION', text: clearedText(kind), detail: settlement, by }),
  ];
}

const clearedText = (kind: string) => `Needs no more attention: ${inWords(kind)}.`;

function workStep({ at, kind, did, operator, text: detail, holder }: AttentionWork) {
  const texts = {
    TOOK: `Taken: ${inWords(kind)}.`,
    RELEASED: `Released: ${inWords(kind)}, which ${holder} had taken.`,
    NOTED: `Note about ${inWords(kind)}.`,
    ENDED: clearedText(kind),
  };
  return entry(at, { kind: 'ATTENTION', text: texts[did], detail, by: operator });
}

function stepsOfEvent({ id, type, createdAt, deliveries, attempts }: TimelineEvent) {
  const states = deliveries.map(({ url, state }) => `${shownUrl(url)}: ${inWords(state)}`);
  const detail = states.length === 0 ? 'No endpoint takes it.' : states.join(', ');
  return [
    entry(createdAt, { kind: 'EVENT', text: `Event ${type}.`, detail, event_id: id }),
    ...attempts.map(({ attemptedAt, endpointId, url, responseStatus, error }) =>
      entry(attemptedAt, {
        kind: 'DELIVERY',
        text: `${type} was sent to ${shownUrl(url)}: ${responseStatus ?? error ?? 'no response'}.`,
        event_id: id,
        endpoint_id: endpointId,
      }),
    ),
  ];
}
