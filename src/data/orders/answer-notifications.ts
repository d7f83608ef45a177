/**
 * Notifies waiting order requests, in every process, that their answer is known. A notification names the order by its nonce,
 * because every role that can log in may NOTIFY, but none can guess the nonce of a waiting request.
 * docs/decisions/0055-start-orders-plainly-and-notify-the-answer.md.
 */
import { isAccessRejection } from '../../domain/errors';
import {
  orderRejections,
  type Answer,
  type OrderKey,
  type OrderRejection,
} from '../../domain/orders/order-messages';
import { rows, type Database } from '../database/database';

/** The channel. A payload has answers as `<nonce>:<word>`, comma-separated. */
export const ORDER_ANSWERED = 'order_answered';

/** A notification has at most 8,000 bytes, and each answer in it takes less than 45 bytes. */
const MAX_AT_ONCE = 170;

/** Notifies the answer to the request that waits for it. */
export type NotifyAnswer = (order: Pick<OrderKey, 'nonce'>, answer: Answer) => void;

/**
 * Returns a function to call once the answer is committed: with NOTIFY inside the transaction, every commit would queue for the
 * global notification lock. Answers during a running notification are sent together. A lost notification is not repeated, because a
 * waiting request asks the workflow a little later.
 */
export function answerNotifier(database: Database): NotifyAnswer {
  let unsent: string[] = [];
  let isNotifying = false;
  const notify = async () => {
    isNotifying = true;
    while (unsent.length > 0) {
      const answers = unsent.slice(0, MAX_AT_ONCE).join(',');
      unsent = unsent.slice(MAX_AT_ONCE);
      const binds = { channel: ORDER_ANSWERED, answers };
      await rows(database, 'SELECT pg_notify($channel, $answers)', binds).catch(() => []);
    }
    isNotifying = false;
  };
  return ({ nonce }, answer) => {
    unsent.push(`${nonce}:${wordOf(answer)}`);
    if (!isNotifying) void notify();
  };
}

/** The answer to the order request with this nonce. */
export interface NotifiedAnswer {
  nonce: string;
  answer: Answer;
}

/** The answers in a notification. Unknown words are left out. */
export function notifiedAnswers(payload: string): NotifiedAnswer[] {
  return payload.split(',').flatMap((text) => {
    const [nonce = '', word = ''] = text.split(':');
    const answer = answerOf(word);
    return answer ? [{ nonce, answer }] : [];
  });
}

const wordOf = (answer: Answer): string => (answer.outcome === 'REFUSED' ? answer.refusal : answer.outcome);

function answerOf(word: string): Answer | undefined {
  if (word === 'PLACED' || word === 'ABANDONED') return { outcome: word };
  return isRejection(word) ? { outcome: 'REFUSED', refusal: word } : undefined;
}

function isRejection(word: string): word is OrderRejection {
  return isAccessRejection(word) || orderRejections.some((known) => known === word);
}
