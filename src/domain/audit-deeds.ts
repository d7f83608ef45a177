/** What the entries of the audit say was done, in words for people. docs/operators/audit.md. */
import { nameOfOperator, type AuditedAction, type OpsAction } from './audit';
import { byWord } from './by-word';
import { orderMessages, readResolution, type Resolution } from './orders/order-messages';
import { rfc3339Moment } from './time';
import { propertyOf } from './unknown-values';
import { endpointMessages } from './webhooks/delivery-rules';

/** The parts of an entry from which its words follow. */
export interface Deed {
  action: string;
  /** The operation, or the name of the message to a workflow. */
  command: string | null;
  operator: string | null;
  member: string | null;
  client: string | null;
  actor: string;
  before: object | null;
  after: object | null;
  moved: { kind: string; amount: string; currency: string } | null;
}

/** A message to a workflow: what it did, and what it asked for. */
interface MessageWords {
  done: string;
  request: string;
}

const messages = byWord<MessageWords>({
  [orderMessages.cancel]: { done: 'Cancelled', request: 'Cancellation' },
  [orderMessages.release]: { done: 'Released', request: 'Release' },
  [orderMessages.resolve]: { done: 'Resolved', request: 'Decision' },
  [orderMessages.retryNow]: { done: 'Retried', request: 'Retry' },
  [endpointMessages.pause]: { done: 'Paused', request: 'Pause' },
  [endpointMessages.resume]: { done: 'Resumed', request: 'Resumption' },
  [endpointMessages.skipEvent]: { done: 'Event skipped', request: 'Skip' },
});

const decisions: Readonly<Record<Resolution, string>> = {
  ASK_AGAIN: 'Supplier polled again',
  NOT_BOUGHT: 'Resolved as not bought',
  DELIVERED: 'Resolved as delivered',
  ELSEWHERE: 'Resolved: the next source buys',
  UNUSABLE: 'Resolved: the goods are unusable',
};

/** Actions whose names do not make a sentence. Every other one is `<object>.<participle>`. */
const exceptions = byWord<string>({
  'member.joined': 'Invitation accepted',
  'supplier_words.read': 'Raw response of the supplier read',
  'deployment.current_changed': 'Current deployment changed',
  'deployment.stragglers_moved': 'Orders of older deployments moved',
  'workflow.messaged': 'Message received, whose history was deleted',
  'workflow.cancel_sent': 'Cancellation of the workflow requested',
  'workflow.reset_sent': 'Reset of the workflow requested',
  'workflow.terminate_sent': 'Termination of the workflow requested',
  'activity.pause_sent': 'Pause of an activity requested',
  'activity.unpause_sent': 'Resumption of an activity requested',
  'activity.reset_sent': 'Reset of an activity requested',
  'activity.update_options_sent': 'Change of the settings of an activity requested',
  'activity.complete_sent': 'Completion of an activity requested',
} satisfies Partial<Record<AuditedAction | OpsAction | 'workflow.messaged', string>>);

/** Changes of rows whose tables have names that tell a reader little. */
const rowChanges = byWord<string>({
  'order_refund.created': 'Refund decided',
  'attention_note.created': 'Note added',
  'attention_note.deleted': 'Note removed',
  'attention_taking.created': 'Taken',
  'attention_taking.changed': 'Taken over',
  'attention_taking.deleted': 'Given back',
});

/**
 * What was done and by whom: `Cancelled by Pat`, `Cancellation requested by Pat`, `Wallet changed by Pat`. A rejected message has its
 * reason in the place of the person: `Cancellation refused: too late (the purchase was sent)`.
 */
export function deedOf(deed: Deed): string {
  const refusal = refusalOf(deed);
  if (refusal !== undefined) return refusal;
  const who = whoDid(deed);
  return who === null ? doneIn(deed) : `${doneIn(deed)} by ${who}`;
}

function whoDid({ actor, operator, member, client }: Deed): string | null {
  if (actor === 'CLIENT') return member ?? client;
  return operator && nameOfOperator(operator);
}

/** The words of the message that the entry is about; undefined for every other entry. */
function messageOf({ action, command, after }: Deed): MessageWords | undefined {
  if (!messageActions.includes(action)) return undefined;
  const sent = propertyOf(after, 'message');
  const named = typeof sent === 'string' ? sent : (command ?? 'Message');
  const words = messages[named] ?? { done: `${named} received`, request: named };
  const asked = propertyOf(after, 'asked');
  const resolution = named === orderMessages.resolve && Array.isArray(asked) ? readResolution(asked[0]) : undefined;
  return resolution ? { ...words, done: decisions[resolution] } : words;
}

const messageActions: readonly string[] = [
  'workflow.signal_sent',
  'workflow.update_sent',
  'workflow.signalled',
  'workflow.updated',
];

function refusalOf(deed: Deed): string | undefined {
  const message = messageOf(deed);
  const answer = propertyOf(deed.after, 'answer');
  const refused = propertyOf(answer, 'refused');
  if (!message) return undefined;
  if (typeof refused === 'string') return `${message.request} refused: ${refusedWords(refused)}`;
  if (answer === false) return `${message.request} refused: the event was not pending`;
  // A cancellation is answered with the state of the order, which may have ended otherwise.
  const isCancellation = message === messages[orderMessages.cancel];
  return isCancellation && typeof answer === 'string' && !answer.endsWith('CANCELLED')
    ? `${message.request} without effect: ${lowerFirst(answer)}`
    : undefined;
}

const refusedWords = (sentence: string) => lowerFirst(sentence).replace(/^too late: (.*)$/s, 'too late ($1)');

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function doneIn(deed: Deed): string {
  const { action, after, moved } = deed;
  if (moved) return movedWords(moved);
  const message = messageOf(deed);
  if (!message) return exceptions[action] ?? rowChanges[action] ?? inWords(action);
  const isAnswered = action === 'workflow.signalled' || (propertyOf(after, 'answer') ?? null) !== null;
  return isAnswered ? message.done : `${message.request} requested`;
}

function movedWords({ kind, amount, currency }: NonNullable<Deed['moved']>): string {
  const done = amount.startsWith('-') ? 'Debited' : 'Credited';
  return `${done} ${amount.replace('-', '')} ${currency} (${inSentence(kind)})`;
}

/** One of our codes, as a sentence uses it: `REFUND_AFTER` becomes `refund after delivery`. */
export function inSentence(code: string): string {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.replace(/^refund after$/, 'refund after delivery');
}

/** `api_key.rolled` becomes `API key rolled`, `is_default` becomes `Default`. */
function inWords(name: string): string {
  const text = name
    .replace(/^(is|has)_/, '')
    .replace(/[._]/g, ' ')
    .replace(/\b(api|id|url|sku)\b/g, (word) => word.toUpperCase());
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return sentence.replace(/\besim/gi, 'eSIM').replace(/\btopup/gi, (word) => `${word.slice(0, 3)}-up`);
}

/**
 * What the entry changed, in words, such as `Status: pending → cancelled`; empty if it changed nothing, or only moved money. A value that
 * was added or removed stands alone. Of a message to a workflow, only the state of its order or endpoint counts; of a new object, only
 * what it has.
 */
export function changesIn({ action, before, after, moved }: Deed): string {
  if (moved) return '';
  const isMessage = /^(workflow|activity)\./.test(action);
  const isSilent = (is: string) => (isMessage && is === '') || (!before && lacking.has(is));
  return Object.keys({ ...before, ...(!isMessage && after) })
    .map((name) => [name, shown(name, propertyOf(before, name)), shown(name, propertyOf(after, name))] as const)
    .filter(([name, was, is]) => was !== is && !isSilent(is) && !(keyColumns.test(name) && [was, is].includes('')))
    .map(([name, was, is]) => {
      const sides = [was, is].filter((side) => side !== '').join(' → ');
      return `${inWords(name)}: ${sides}${differenceOf(name, propertyOf(before, name), propertyOf(after, name))}`;
    })
    .join('; ');
}

/** What went from a list and what came to it: ` (gone: codes; new: webhooks)`; empty for other values. */
function differenceOf(name: string, was: unknown, is: unknown): string {
  if (!Array.isArray(was) || !Array.isArray(is)) return '';
  const without = (values: readonly unknown[], others: readonly unknown[]) =>
    values.filter((value) => !others.includes(value)).map((value) => shown(name, value));
  const [gone, come] = [without(was, is), without(is, was)];
  const parts = [
    ...(gone.length > 0 ? [`gone: ${gone.join(', ')}`] : []),
    ...(come.length > 0 ? [`new: ${come.join(', ')}`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** Columns that link and seal rows. The entry has all of them below `before` and `after`. */
const keyColumns = /^(id|nonce|door|accountable|operator|number|for_unit|proposer_role|sealed_.*|.*_id)$/;

/** What a new object does not have, as `shown` writes it. */
const lacking = new Set(['no', 'none']);

/** The values that are codes of ours, by their names. */
const codes = /(^|_)(status|state|kind|family|type|code|outcome|source)$/;
/** Currencies and countries have shorter ones. */
const code = /^[A-Z_]{4,}$/;

/** A value as people read it; empty for a missing one. */
function shown(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((item) => shown(name, item)).join(', ') || 'none';
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([part, inner]) => `${lowerFirst(inWords(part))} ${shown(part, inner)}`)
      .join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (codes.test(name) && code.test(text)) return lowerFirst(inWords(text.toLowerCase()));
  if (name === 'operation') return code.test(text) ? inSentence(text) : text.replace(' ', ': ').replaceAll('-', ' ');
  return rfc3339Moment(text)?.toISOString() ?? text;
}
