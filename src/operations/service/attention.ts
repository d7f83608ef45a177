/** `attention`: the list of everything that needs a person. */
import { settleAttention } from '../../data/operations/attention';
import { listAttention, type ListedAttention } from '../../data/operations/operator-reads';
import { attentionKinds, resolvingCommands } from '../../domain/operations/attention-kinds';
import { day, hour, minute, second } from '../../domain/time';
import { option, requiredOption, word } from '../arguments';
import { clientNamed } from '../client-named';
import type { Context } from '../context';
import { sentenceOf } from '../failure';
import { client, id, nameText, oneOf, reasonText } from '../kinds';
import { everyRole, operation, type Plain } from '../operation';
import { table, wrapped } from '../text';

const list = operation({
  name: 'attention',
  about: 'Everything that needs a person: orders, suppliers, webhook endpoints, the service. Oldest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    kind: option(oneOf('kind', attentionKinds), 'only entries of this kind, such as OUTCOME_UNKNOWN'),
    client: option(client, "only entries about this client's orders and endpoints: id, name or API key"),
    supplier: option(nameText, 'only entries about this supplier, or about orders bought there'),
  },
  async run(context, { kind, client: named, supplier }) {
    const { database } = context;
    await reportTemporal(context);
    const clientId = named === undefined ? undefined : (await clientNamed(database, named)).id;
    return (await listAttention(database, { kind, clientId, supplier })).map((one) => ({
      ...one,
      age: readableAge(one.age),
      resolve: resolvingCommand(one),
    }));
  },
  text: (listed, { columns }) =>
    listed.length === 0 ? table(listed) : listed.map((one) => textOf(one, columns)).join('\n\n'),
});

/** Remarks if Temporal does not answer: the list may then be out of date, and decisions fail. */
async function reportTemporal(context: Context): Promise<void> {
  // A lazy import: loading Temporal's client takes longer than the list.
  const { assertAnswers } = await import('../../temporal/connection.js');
  await assertAnswers(context.config).catch((error: unknown) => context.remark(sentenceOf(error)));
}

type Listed = Omit<ListedAttention, 'age'> & { age: string; resolve: string };

/** An entry in lines that fit the page: number, kind and subject, the reason. The command stays in one line, to be copied. */
function textOf(
  { id: number, kind, age, reason, resolve, ...entry }: Plain<Listed>,
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
  ];
  return [wrapped(heading.join(' '), columns), wrapped(reason, columns, 2), `  > ${resolve}`].join('\n');
}

const settle = operation({
  name: 'attention settle',
  about:
    'Remove a row that you have settled with supplier or client, or give up a mail. Other rows clear themselves',
  roles: ['support', 'catalogue', 'finance'],
  effect: 'changes',
  arguments: {
    number: word(id, 'the first number of the entry on the list'),
    reason: requiredOption(reasonText, 'what was done; stored with the row'),
  },
  async run({ database }, { number, reason }) {
    await settleAttention(database, number, reason);
    return `Number ${number} is off the list.`;
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
function resolvingCommand({
  id,
  kind,
  order_id: order,
  supplier,
  endpoint_id: endpoint,
}: ListedAttention): string {
  // The mail about a disabled endpoint belongs to no order.
  if (kind === 'MAIL_UNDELIVERABLE' && order === null) return 'webhooks failing';
  return resolvingCommands[kind]
    .replace('<number>', String(id))
    .replace('<order>', String(order))
    .replace('<supplier>', String(supplier))
    .replace('<endpoint>', String(endpoint));
}

export const attentionOperations = [list, settle];
