/** `attention`: the list of everything that needs a person. */
import { type Command, InvalidArgumentError } from 'commander';
import type { OperatorConfig } from '../../config';
import { settleAttention } from '../../data/operations/attention';
import { listAttention, type ListedAttention } from '../../data/operations/operator-reads';
import {
  attentionKinds,
  resolvingCommands,
  type AttentionKind,
} from '../../domain/operations/attention-kinds';
import { day, hour, minute, second } from '../../domain/time';
import * as read from '../arguments';
import { sentenceOf, wantsJson, wrapped } from '../output';
import { onDatabase } from '../session';

export function addAttentionCommands(program: Command): void {
  const attention = program
    .command('attention')
    .description(
      'Everything that needs a person: orders, suppliers, webhook endpoints, the service. Oldest first',
    )
    .option('--kind <kind>', 'only entries of this kind, such as OUTCOME_UNKNOWN', readKind)
    .option('--client <client>', "only entries about this client's orders and endpoints: id, name or API key")
    .option('--supplier <name>', 'only entries about this supplier, or about orders bought there')
    .action(
      onDatabase(async (session, { kind, client, supplier }: ListOptions) => {
        const { database, config, command } = session;
        await reportTemporal(config);
        const clientId = client === undefined ? undefined : (await read.clientNamed(database, client)).id;
        const listed = (await listAttention(database, { kind, clientId, supplier })).map((one) => ({
          ...one,
          age: readableAge(one.age),
          resolve: resolvingCommand(one),
        }));
        return wantsJson(command) || listed.length === 0 ? listed : listed.map(textOf).join('\n\n');
      }),
    );

  attention
    .command('settle')
    .description(
      'Remove a row that you have settled with supplier or client, or give up a mail. Other rows clear themselves',
    )
    .argument('<number>', 'the first number of the entry on the list', read.positiveInteger)
    .requiredOption('--reason <text>', 'what was done; stored with the row', read.reason)
    .action(
      onDatabase(async ({ database }, id: number, { reason }: { reason: string }) => {
        await settleAttention(database, id, reason);
        return `Number ${id} is off the list.`;
      }),
    );
}

interface ListOptions {
  kind?: AttentionKind;
  client?: string;
  supplier?: string;
}

function readKind(text: string): AttentionKind {
  const known = attentionKinds.find((kind) => kind === text.toUpperCase().replace(/-/g, '_'));
  if (!known) throw new InvalidArgumentError(`Give one of ${attentionKinds.join(', ')}.`);
  return known;
}

/** Says on standard error if Temporal does not answer: the list may then be out of date, and decisions fail. */
async function reportTemporal(config: OperatorConfig): Promise<void> {
  // A lazy import: loading Temporal's client takes longer than the list.
  const { assertAnswers } = await import('../../temporal/connection.js');
  await assertAnswers(config).catch((error: unknown) => console.error(sentenceOf(error)));
}

type Listed = Omit<ListedAttention, 'age'> & { age: string; resolve: string };

/** An entry in lines that fit the terminal: number, kind and subject, the reason. The command stays in one line, to be copied. */
function textOf({ id, kind, age, reason, resolve, ...entry }: Listed): string {
  const { order_id: order, client, amount, supplier, endpoint_id: endpoint } = entry;
  const about = [
    order !== null && `order ${order}`,
    endpoint !== null && `endpoint ${endpoint}`,
    supplier,
    client !== null && `of ${client}`,
    amount !== null && `(${amount})`,
  ];
  const heading = [`${id}`, kind, ...about.filter((part) => part !== null && part !== false), `for ${age}`];
  return [wrapped(heading.join(' ')), wrapped(reason, 2), `  > ${resolve}`].join('\n');
}

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
