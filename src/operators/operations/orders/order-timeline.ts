/** What happened to an order, in the sequence of time. */
import type { ListedAudit } from '../../../data/audit/audit-entries';
import { operatorDetail } from '../../../data/purchases/purchases';
import type { OrderReport } from '../../../data/orders/operator-reads';
import type { TimelineEvent } from '../../../data/orders/client-orders';
import type { ListedClaim } from '../../../data/orders/operated-claims';
import type { AttentionWork, ClaimDecision, PastAttention } from '../../../data/orders/order-story';
import { nameOfOperator } from '../../../domain/audit';
import { changesIn, deedOf, inSentence } from '../../../domain/audit-deeds';
import { choiceInWords } from '../../../domain/orders/fail-over';
import { utcTime } from '../../../domain/time';
import { stepsOfEvent, untakenStep } from './event-steps';
import { entry, type StoryEntry } from './story-entry';

interface Sources {
  report: OrderReport;
  events: readonly TimelineEvent[];
  attention: readonly PastAttention[];
  work: readonly AttentionWork[];
  audit: readonly ListedAudit[];
  claims: readonly ListedClaim[];
  decisions: readonly ClaimDecision[];
}

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
    ...claims.map((claim) => reportedStep(claim, decisions)),
    ...decisions.filter(({ state }) => state !== 'OPEN').map(decidedStep),
    ...claims.map((claim) => closedStep(claim, decisions)),
    ...report.refunds.map((refund) => refundStep(refund, report.deduction_currency)),
    ...attention.flatMap(stepsOfAttention),
    ...work.map(workStep),
    entry(report.completed_at, {
      kind: 'ENDED',
      text: report.status === 'FAILED' ? 'The order failed.' : `The order is ${inSentence(report.status)}.`,
      detail: failureText(report.failure_code),
    }),
    entry(report.mailed_at, { kind: 'MAIL', text: 'The result was mailed.' }),
    entry(report.mail_given_up_at, { kind: 'MAIL', text: 'The mail with the result was given up.' }),
    ...events.flatMap(stepsOfEvent),
    untakenStep(events),
  ];
  // What belongs to the placement may have an earlier time: the debit is posted in its transaction.
  const placed = utcTime(report.placed_at);
  return steps
    .filter((step) => step !== undefined)
    .map((step) => (step.at < placed ? { ...step, at: placed } : step))
    .sort((a, b) => a.at.localeCompare(b.at));
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
  const price = { amount: cost === null ? null : String(cost), currency };
  const replaced = purchases.find((one) => one.reference === replaces);
  const isConcluded = !['READY', 'SENT', 'PENDING'].includes(state);
  const isSold = state === 'DELIVERED' && stored === units;
  const of = { reference, by: supplier };
  return [
    entry(replaced?.updated_at ?? placed_at, {
      kind: 'PURCHASE_CREATED',
      text: `${supplier} is to deliver ${units} x ${sku}.`,
      detail: choiceInWords(why),
      reference,
    }),
    entry(purchase.sent_at, {
      kind: 'PURCHASE_SENT',
      text: attempt > 1 ? `Sent to ${supplier} once more (attempt ${attempt}).` : `Sent to ${supplier}.`,
      reference,
    }),
    entry(purchase.asked_at, { kind: 'LOOKUP', text: `${supplier} was last polled.`, reference }),
    isConcluded && !isSold
      ? entry(purchase.updated_at, {
          kind: 'PURCHASE_RESULT',
          text: `The purchase at ${supplier} is ${inSentence(state)}.`,
          ...of,
          ...price,
          detail: resultDetail(detail) ?? failureText(code),
        })
      : undefined,
    stored > 0
      ? entry(purchase.updated_at, {
          kind: 'GOODS',
          text: `${supplier} delivered ${isSold ? units : `${stored} of ${units}`} x ${sku}.`,
          ...of,
          ...(isSold && price),
        })
      : undefined,
    entry(purchase.reversed_at, { kind: 'PURCHASE_RESULT', text: `${supplier} reversed the purchase.`, ...of }),
  ];
}

/** Why the order failed; null if no more is known than that it did. */
const failureText = (code: string | null) =>
  code === null || code === 'UNKNOWN' ? null : `Because: ${inSentence(code)}.`;

/** The detail of a result. What an operator decided is a step of its own. */
function resultDetail(detail: string | null): string | null {
  if (detail === null || detail.startsWith(operatorDetail(''))) return null;
  return detail.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, inSentence);
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
    const text = `Quarantined units: ${units.length} (${inSentence(first.reason)}).`;
    return entry(first.received_at, { kind: 'QUARANTINED', text, detail: first.defect, reference: first.reference });
  });
}

function auditedStep(audited: ListedAudit) {
  const { at, actor, operator, reason, api_key: key, moved } = audited;
  if (moved) {
    const { kind, amount, currency, balance_after: balance } = moved;
    const isDebit = amount.startsWith('-');
    const text = `${isDebit ? 'Debited' : 'Credited'} ${amount.replace('-', '')} ${currency}: ${inSentence(kind)}. The balance is ${balance} ${currency}.`;
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
    text: `Refund ${number}: ${part}${amount} ${currency}, ${inSentence(code)}.`,
    detail: note,
    by: operator,
    amount: String(amount),
    currency,
  });
}

/** What was claimed. The detail is the note of the operator who opened it for the client. */
function reportedStep(
  { id, client, unit, kind, created_at: at, opened_by: opener }: ListedClaim,
  decisions: readonly ClaimDecision[],
) {
  const what = `${unit === null ? 'the goods' : `unit ${unit}`}, ${inSentence(kind)}`;
  if (opener === null)
    return entry(at, { kind: 'CLAIM', text: `Claim ${id}: ${client} reported ${what}.`, by: client });
  const opening = decisions.find(({ claimId, state }) => claimId === id && state === 'OPEN');
  const text = `Claim ${id} was opened for ${client}: ${what}.`;
  return entry(at, { kind: 'CLAIM', text, detail: opening?.reason ?? null, by: opener });
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
  if (refundNumber === null) return `is ${inSentence(state)}`;
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
  return entry(at, { kind: 'CLAIM', text: `Claim ${id} is closed: ${inSentence(outcome ?? state)}${by}.` });
}

function stepsOfAttention({ kind, reason, since, cleared_at: cleared, settlement, cleared_by: by }: PastAttention) {
  return [
    // Before it is cleared, the list shows the reason.
    entry(since, { kind: 'ATTENTION', text: `Needs attention: ${inSentence(kind)}.`, detail: cleared && reason }),
    entry(cleared, { kind: 'ATTENTION', text: clearedText(kind), detail: settlement, by }),
  ];
}

const clearedText = (kind: string) => `Needs no more attention: ${inSentence(kind)}.`;

function workStep({ at, kind, did, operator, text: detail, holder }: AttentionWork) {
  const texts = {
    TOOK: `Taken: ${inSentence(kind)}.`,
    RELEASED: `Released: ${inSentence(kind)}, which ${holder} had taken.`,
    NOTED: `Note about ${inSentence(kind)}.`,
    ENDED: clearedText(kind),
  };
  return entry(at, { kind: 'ATTENTION', text: texts[did], detail, by: operator });
}
