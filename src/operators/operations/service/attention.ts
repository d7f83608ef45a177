/** `attention`: the list of everything that needs a person. */
import { assertSettledBy, settleAttention } from '../../../data/attention/attention';
import { attentionOrders } from '../../../data/attention/attention-order';
import { listIncidentEntries } from '../../../data/attention/incident-reads';
import { listProposals } from '../../../data/approvals/proposals';
import {
  listAttention,
  type AttentionFilter,
  type ListedAttention,
  listedAttentionColumns,
} from '../../../data/orders/operator-reads';
import {
  explanationOf,
  explanationParts,
  type ExplanationPart,
} from '../../../domain/attention/attention-explanations';
import { incidentCauses, incidentsOf, type IncidentCause } from '../../../domain/attention/incidents';
import { attentionKinds, resolvingCommands } from '../../../domain/attention/attention-kinds';
import { day, hour, minute, second } from '../../../domain/time';
import { commandOnPage, offerOf, type ActionOffer } from '../actions';
import { approverOf } from '../approvals/carried-out-proposals';
import { flag, inTerminal, option, optionOr, requiredOption } from '../arguments';
import { clientIdNamed } from '../client-named';
import type { Context } from '../context';
import { sentenceOf } from '../failure';
import { client, count, family, id, nameText, oneOf, reasonText } from '../kinds';
import { everyRole, operation, type Plain } from '../operation';
import { openedTexts } from '../order-texts';
import { table, wrapped } from '../text';
import { entryNumber, textsAboutEntry, workOnEntries } from './attention-work';
import { kindsOf } from '../../../domain/row-columns';

const list = operation({
  name: 'attention',
  button: 'Show',
  about: 'Everything that needs a person: orders, suppliers, webhook endpoints, the service. Oldest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    kind: inTerminal(
      option(oneOf('kind', attentionKinds), 'only entries of this kind'),
      'only entries of this kind, such as OUTCOME_UNKNOWN',
    ),
    client: option(client, "only entries about this client's orders and endpoints: id, name or API key"),
    supplier: option(nameText, 'only entries about this supplier, or about orders bought there'),
    family: option(family, 'only entries about orders of this family: vouchers, topups or esim'),
    takenBy: option(nameText, 'only entries that this person has taken'),
    notTaken: flag('only entries that no operator has taken'),
    single: flag('only entries that belong to no incident at a supplier'),
    cause: option(
      oneOf('cause', incidentCauses),
      'only entries of the incidents with this cause: BLOCKED, DOWN or LATE. With supplier and family, one incident',
    ),
    sort: optionOr(oneOf('order', attentionOrders), 'age', 'age, amount (by currency, the largest first) or kind'),
    after: option(id, 'only entries behind this one, for the next page'),
    limit: option(count, 'maximum number of entries; default: all'),
  },
  columns: {
    ...kindsOf(listedAttentionColumns),
    age: 'text',
    resolve: 'text',
    explanation: 'text',
    explanation_parts: 'list',
    action: 'object',
    obstacle: 'text',
  },
  async run(context, { client: named, notTaken, single, cause, ...filter }) {
    await reportTemporal(context);
    await reportApprovals(context);
    const clientId = await clientIdNamed(context.database, named);
    const without = single ? await entriesOfIncidents(context) : undefined;
    const among = cause && (await entriesOfIncidents(context, cause, filter.supplier));
    return attentionEntries(context, { ...filter, clientId, isFree: notTaken, without, among });
  },
  text: (listed, { columns }) =>
    listed.length === 0 ? table(listed) : listed.map((one) => textOf(one, columns)).join('\n\n'),
});

/** The ids of the entries that belong to an incident. `only`: with this cause. */
async function entriesOfIncidents({ database }: Context, only?: IncidentCause, supplier?: string): Promise<number[]> {
  const incidents = incidentsOf(await listIncidentEntries(database, supplier));
  return incidents
    .filter(({ cause }) => only === undefined || cause === only)
    .flatMap(({ entries }) => entries.map((entry) => entry.id));
}

/** The matching entries, each with its explanation and the action that ends it or shows whether the remedy helped. */
export async function attentionEntries(context: Context, filter: AttentionFilter): Promise<AttentionOfPerson[]> {
  const listed = await listAttention(context.database, filter);
  const open = await openedTexts(
    context,
    listed.flatMap(({ notes }) => notes.map(({ text }) => text)),
  );
  const shown: AttentionOfPerson[] = [];
  for (const one of listed) {
    const offer = await offerOf(context, resolvingCommand(one));
    const onPage = (code: string) => commandOnPage(context, code);
    shown.push({
      ...one,
      notes: one.notes.map((written) => ({ ...written, text: open(written.text) })),
      age: readableAge(one.age),
      resolve: resolvingCommand(one),
      explanation: explanationOf(one.kind, context.account.door === 'PAGE' ? onPage : (code) => code),
      explanation_parts: explanationParts(one.kind, onPage),
      ...offer,
    });
  }
  return shown;
}

/** Remarks if Temporal does not answer: the list may then be out of date, and decisions fail. */
async function reportTemporal(context: Context): Promise<void> {
  // A lazy import: loading Temporal's client takes longer than the list.
  const { assertAnswers } = await import('../../../temporal/connection.js');
  await assertAnswers(context.config).catch((error: unknown) => context.remark(sentenceOf(error)));
}

/** Remarks what waits for the caller's approval. A page shows it with its buttons. */
async function reportApprovals({ database, remark, ...caller }: Context): Promise<void> {
  if (caller.account.door === 'PAGE') return;
  const waiting = await listProposals(database, { state: 'PENDING', approver: approverOf(caller), limit: 100 });
  if (waiting.length === 0) return;
  const numbers = waiting.map(({ id: proposal }) => proposal).join(', ');
  remark(`Waits for your approval: ${numbers}. See what it is with: approvals list --mine`);
}

/** An entry for a person, with what ends it. */
export type AttentionOfPerson = Omit<ListedAttention, 'age'> &
  ActionOffer & { age: string; resolve: string; explanation: string; explanation_parts: ExplanationPart[] };

/** An entry in lines that fit the page: number, kind and subject, the reason. The command stays in one line, to be copied. */
function textOf(
  { id: number, kind, age, reason, resolve, taken_by: taker, notes, ...entry }: Plain<AttentionOfPerson>,
  columns: number,
): string {
  const { order_id: order, client: owner, amount, supplier, endpoint_id: endpoint } = entry;
  const about = [
    order !== null && `order ${order}`,
    endpoint !== null && `endpoint ${endpoint}`,
    supplier,
    owner !== null && `of ${owner}`,
    amount !== null && `(${amount})`,
  ];
  const heading = [
    `${number}`,
    kind,
    ...about.filter((part) => part !== null && part !== false),
    `for ${age}`,
    ...(taker === null ? [] : [`taken by ${taker}`]),
  ];
  return [
    wrapped(heading.join(' '), columns),
    wrapped(reason, columns, 2),
    ...notes.map(({ at, by, text }) => wrapped(`Note of ${by}, ${at}: ${text}`, columns, 2)),
    `  > ${resolve}`,
  ].join('\n');
}

const settle = operation({
  name: 'attention settle',
  about: 'Remove a row that you have settled with supplier or client, or give up a mail. Other rows clear themselves',
  roles: ['support', 'catalogue', 'finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { number: entryNumber, reason: requiredOption(reasonText, 'what was done; stored with the row') },
  trial: 'NONE',
  check: async ({ database, account }, { number: entry }) =>
    entry === undefined || assertSettledBy(database, { id: entry, person: account.accountable }),
  textsAbout: textsAboutEntry,
  async run({ database, account }, { number: entry, reason }) {
    await settleAttention(database, { id: entry, person: account.accountable }, reason);
    return `Number ${entry} is off the list.`;
  },
});

/** An age in seconds, in its largest whole unit: `3d`, `5h`, `12m`, `40s`. */
function readableAge(seconds: number): string {
  const ms = Math.max(0, seconds * second);
  if (ms >= day) return `${Math.floor(ms / day)}d`;
  if (ms >= hour) return `${Math.floor(ms / hour)}h`;
  if (ms >= minute) return `${Math.floor(ms / minute)}m`;
  return `${Math.floor(ms / second)}s`;
}

/** The command that resolves the entry, with the ids of the entry. */
function resolvingCommand({ id, kind, order_id: order, supplier, endpoint_id: endpoint }: ListedAttention): string {
  // The mail about a disabled endpoint belongs to no order.
  if (kind === 'MAIL_UNDELIVERABLE' && order === null) return 'webhooks failing';
  return resolvingCommands[kind]
    .replace('<number>', String(id))
    .replace('<order>', String(order))
    .replace('<supplier>', String(supplier))
    .replace('<endpoint>', String(endpoint));
}

export const attentionOperations = [list, ...workOnEntries, settle];
