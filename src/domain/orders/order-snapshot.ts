/**
 * The state of an order as its workflow shows it to operators: by the query `state`, and in the details of the Temporal UI. It never
 * contains goods or input.
 */
import { withMarkedChoice, withoutCosts } from '../cost-texts';
import { isWithSupplier, type OrderFacts, type OrderStep, type RequestAnswer } from './order-facts';
import { choicesWhileOpen, type OpenOrderChoice } from './order-choices';
import { pendingPolls } from '../poll-cadence';
import { actionText, timeText, type OperatorAction } from '../operators/operator-actions';
import type { PurchaseSummary, Refund } from './order-messages';
import { orderTiming } from './order-timing';
import { minute } from '../time';

/** The response to the query `state`. Every role reads it, so it has no costs. */
export interface OrderSnapshot extends Omit<OrderFacts, 'since' | 'nextAttemptAt' | 'retriedUntil'> {
  /** The step in words. */
  now: string;
  since: string;
  nextAttemptAt: string | null;
  retriedUntil: string | null;
  actions: OperatorAction[];
}

/** The whole state as an operator reads it, without costs. */
export function snapshotOf(facts: OrderFacts): OrderSnapshot {
  return {
    ...facts,
    purchases: facts.purchases.map(purchaseWithoutCosts),
    outcomeUnknown: reasonWithoutCosts(facts.outcomeUnknown),
    attention: reasonWithoutCosts(facts.attention),
    cancellationRejection: reasonWithoutCosts(facts.cancellationRejection),
    now: sentenceOf(facts),
    since: timeText(facts.since),
    nextAttemptAt: facts.nextAttemptAt === null ? null : timeText(facts.nextAttemptAt),
    retriedUntil: facts.retriedUntil === null ? null : timeText(facts.retriedUntil),
    actions: actionsOf(facts),
  };
}

/** The reason as everyone reads it in Temporal. */
export function reasonWithoutCosts(reason: string | null): string | null {
  return reason === null ? null : withoutCosts(reason);
}

/** A run of an earlier release has the cost in its history. */
function purchaseWithoutCosts({ reference, supplier, sku, why, result }: PurchaseSummary): PurchaseSummary {
  return { reference, supplier, sku, why: withoutCosts(withMarkedChoice(why)), result };
}

/** The state as markdown: what the order waits for, since when, until when, and what an operator can do. Every role reads it, so it has no costs. */
export function orderDetails(facts: OrderFacts): string {
  const { attention, outcomeUnknown, cancellationRequested, cancellationRejection } = facts;
  const hasOtherAttention = attention !== null && attention !== outcomeUnknown;
  const parts = [
    ...(hasOtherAttention ? [`**Needs attention:** ${attention}`] : []),
    `**${sentenceOf(facts)}**`,
    ...(outcomeUnknown === null ? [] : [`Why: ${outcomeUnknown}`]),
    factLines(facts).join('\n'),
    ...(cancellationRequested ? ['Cancellation requested: it succeeds if nothing was bought yet.'] : []),
    ...(cancellationRejection === null ? [] : [`The cancellation came too late: ${cancellationRejection}`]),
    ...actionText(actionsOf(facts)),
  ];
  return withoutCosts(parts.join('\n\n'));
}

function factLines(facts: OrderFacts): string[] {
  const { step, since, nextAttemptAt, retriedUntil, units, delivered, toSend, withSupplier } = facts;
  const lines = [`- Since: ${timeText(since)}`];
  if (nextAttemptAt !== null) lines.push(nextText(step, timeText(nextAttemptAt)));
  if (step === 'POLLING_SUPPLIER') lines.push(pendingPolls('poll'));
  if (step === 'BUYING') lines.push(`- Next attempt: ${buyingPace(facts)}`);
  if (step === 'MAILING') lines.push('- Next attempt: see "Pending Activities", `mailOrder`; retried for a day');
  if (retriedUntil !== null) lines.push(`- Retried until ${timeText(retriedUntil)}, then failed and refunded`);
  const isBuying = step === 'BUYING';
  const asOf = isBuying ? " as of the supplier's last answer" : '';
  if (units > 0) lines.push(`- Delivered: ${delivered} of ${units}${asOf}`);
  if (toSend + withSupplier > 0 && !isBuying)
    lines.push(`- Purchases: ${toSend} to be sent, ${withSupplier} with the supplier`);
  lines.push(...debitLines(facts), ...facts.purchases.map(purchaseLine));
  if (facts.failureCode !== null) lines.push(`- Failure code: ${facts.failureCode}`);
  if (facts.refund !== null) lines.push(`- Refund: ${refundText(facts.refund)}`);
  if (facts.requestAnswer !== null) lines.push(answerLine(facts.requestAnswer));
  if (facts.mailGivenUp) lines.push('- The mail to the customer could not be sent');
  return lines;
}

function debitLines({ debit }: OrderFacts): string[] {
  if (debit === null) return [];
  const { amount, currency, walletId, transactionId, nothingBecause } = debit;
  if (nothingBecause !== null) return [`- Debited: nothing, because ${nothingBecause}`];
  return [`- Debited: ${amount} ${currency} from wallet ${walletId} (transaction ${transactionId})`];
}

function answerLine({ answer, afterMs }: RequestAnswer): string {
  return `- The order request was answered: ${answer} after ${Math.ceil(afterMs / 100) / 10} s`;
}

const nextText = (step: OrderStep, time: string) =>
  step === 'UNDER_REVIEW'
    ? `- Cancelled and refunded at ${time} without a decision`
    : `- Next attempt: ${time}, sooner if the supplier sends an update`;

function purchaseLine({ reference, supplier, sku, why, result }: PurchaseSummary): string {
  return `- Purchase \`${reference}\` at ${supplier} (\`${sku}\`): ${result}. Chosen: ${withMarkedChoice(why)}`;
}

function buyingPace({ family }: OrderFacts): string {
  const { firstRetryMs, maxRetryMs } = orderTiming[family];
  return (
    `see \`buy\` under "Pending Activities" for its attempt, the supplier's last answer and the time of the next attempt; ` +
    `the waits grow from ${firstRetryMs / 1000} s to ${maxRetryMs / minute} min`
  );
}

/** The refund in words: credited, or due because the wallet is closed. */
export function refundText({ amount, currency, walletId, credited }: Refund): string {
  if (credited) return `${amount} ${currency} credited to wallet ${walletId}`;
  return `${amount} ${currency} is due, but wallet ${walletId} is closed`;
}

const OUTCOME_UNKNOWN = 'Purchase outcome unknown. Ask the supplier, then send `resolveOrder`';

function sentenceOf(facts: OrderFacts): string {
  if (facts.outcomeUnknown !== null && isWithSupplier(facts.step)) return OUTCOME_UNKNOWN;
  switch (facts.step) {
    case 'DEBITING':
      return 'Debits the wallet and places the order: nothing is bought yet';
    case 'BUYING_AT_ONCE':
      return 'Tries to buy within 1.5 s, while the order request waits';
    case 'UNDER_REVIEW':
      return 'Under review: nothing is bought before an operator releases the order';
    case 'BUYING':
      return 'Buys from the supplier, and retries while it is slow or unreachable';
    case 'WAITING_FOR_SUPPLIER':
    case 'POLLING_SUPPLIER':
      return 'Waiting for the supplier: it accepted the purchase but has reported no outcome';
    case 'CANCELLING':
      return 'Cancels: looks up at the supplier whether anything was bought';
    case 'CARRYING_OUT_DECISION':
      return "Carries out an operator's decision";
    case 'SETTLING':
      return 'Settles the order in the database';
    case 'MAILING':
      return `${facts.end}: the mail to the customer is being sent`;
    case 'WAITING_FOR_REFUND':
      return `${facts.end}: the refund waits, because the wallet is closed`;
    case 'ENDED':
      return endText(facts);
  }
}

function endText({ end, refusal }: OrderFacts): string {
  if (end === 'ABANDONED') return 'ABANDONED (no request waits for it): nothing was debited';
  return refusal === null ? `${end}` : `${end} (${refusal}): nothing was debited`;
}

function action(send: string, effect: string, argument?: unknown): OperatorAction {
  return { send, argument: argument === undefined ? null : JSON.stringify(argument), effect };
}

/** The actions of an operator at this step, each with the exact message to send. */
function actionsOf(facts: OrderFacts): OperatorAction[] {
  switch (facts.step) {
    case 'DEBITING':
    case 'BUYING_AT_ONCE':
    case 'SETTLING':
    case 'MAILING':
      return [];
    case 'WAITING_FOR_REFUND':
      return [refundAction(facts)];
    case 'ENDED':
      return facts.mailGivenUp ? [mailAction(facts)] : [];
    case 'UNDER_REVIEW':
    case 'BUYING':
    case 'WAITING_FOR_SUPPLIER':
    case 'POLLING_SUPPLIER':
    case 'CANCELLING':
    case 'CARRYING_OUT_DECISION':
      return choicesWhileOpen({ ...facts, isHeld: facts.step === 'UNDER_REVIEW' }).flatMap((choice) =>
        actionsOfChoice[choice](facts),
      );
  }
}

const actionsOfChoice: Readonly<Record<OpenOrderChoice, (facts: OrderFacts) => OperatorAction[]>> = {
  RELEASE: () => [action('update releaseOrder', 'buys the order', 'The client confirmed the order')],
  RETRY: retryActions,
  CANCEL: cancelActions,
  RESOLVE: decisionActions,
};

function mailAction({ orderId }: OrderFacts): OperatorAction {
  return action(`command npm run ops -- orders show ${orderId}`, 'shows the order; its mail was given up');
}

function refundAction({ refund }: OrderFacts): OperatorAction {
  return action(
    'signal retryNow',
    'credits the refund at once if the wallet is open; ' +
      `\`npm run ops -- wallets reopen ${refund?.walletId ?? '<wallet>'}\` opens it and credits the refund`,
  );
}

function retryActions({ toSend, withSupplier }: OrderFacts): OperatorAction[] {
  const effect = toSend > 0 && withSupplier === 0 ? 'buys at once' : 'polls the supplier at once';
  return [action('signal retryNow', effect)];
}

function cancelActions(): OperatorAction[] {
  return [
    action(
      'update cancelOrder',
      'cancels and refunds the order if nothing was bought, or says why it is too late',
      'The customer changed their mind',
    ),
  ];
}

function decisionActions({ family, orderId }: OrderFacts): OperatorAction[] {
  const reason = 'Confirmed by the supplier';
  const resolve = (effect: string, argument: unknown) => action('update resolveOrder', effect, argument);
  return [
    resolve('if the supplier says that nothing was bought: the order fails and is refunded', {
      resolution: 'NOT_BOUGHT',
      reason,
    }),
    family === 'TOPUP'
      ? resolve('if the supplier says that the recipient was topped up: the order is delivered', {
          resolution: 'DELIVERED',
          reason,
        })
      : action(
          `command npm run ops -- orders resolve ${orderId} delivered --reason "${reason}" --goods goods.json`,
          'if you have the goods (they must not be typed here): the order is delivered',
        ),
    resolve('polls the supplier once more and returns the result', 'ASK_AGAIN'),
    resolve('buys from the next source, if nothing was bought', { resolution: 'ELSEWHERE', reason }),
    resolve('if goods arrived and are unusable: refunds these units', { resolution: 'UNUSABLE', reason }),
  ];
}
