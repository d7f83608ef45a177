/** `audit`: the sensitive calls of clients and the changes by operators. */
import { listAudit, type ListedAudit, listedAuditColumns } from '../../../data/audit/audit-entries';
import { auditedAs } from '../../../data/catalogue/audited-objects';
import { inTerminal, InvalidArgument, option, optionOr, type Kind } from '../arguments';
import { changesIn, deedOf } from '../../../domain/audit-deeds';
import { clientIdNamed } from '../client-named';
import type { Context } from '../context';
import { askedBy, client, count, family, id, nameText, ofForm, text, withPlaceholder } from '../kinds';
import { timeOrAge } from '../time-kinds';
import { everyRole, operation, type Plain } from '../operation';
import { openedTexts, withReadableReasons } from '../order-texts';
import { aligned, table, wrapped } from '../text';
import { visibleRow } from '../visible-costs';
import { kindsOf } from '../../../domain/row-columns';

const auditId: Kind<string> = {
  placeholder: 'id',
  schema: { type: 'string', pattern: '^[0-9]{1,17}-[0-9]{1,18}$' },
  read(written) {
    if (/^[0-9]{1,17}-[0-9]{1,18}$/.test(written)) return written;
    throw new InvalidArgument('Give the id of an entry, as --json shows it.');
  },
};

const { id: entryId, at: entryAt, ...entryColumns } = kindsOf(listedAuditColumns);

const list = operation({
  name: 'audit list',
  about: 'Entries, newest first: what was done and by whom, to what, what changed, and the reason',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    client: option(client, 'only entries of this client: id, name or API key'),
    object: inTerminal(
      option(askedBy('object', ofForm('object', 'wallet/12', text.read)), 'only entries of this object'),
      'only entries of this object. wallet/12 and order/17 include every ledger entry; a kind alone, such as wallet, selects all of it',
    ),
    family: option(family, 'with a product: its family'),
    product: inTerminal(
      option(id, 'only entries about this product: its data, prices, sources and discounts'),
      'only entries about this product: its data, prices, sources and discounts. With --family',
    ),
    since: inTerminal(
      option(timeOrAge, 'only entries since this time'),
      'only entries since this time, or of the last 90m, 12h, 1d',
    ),
    until: option(timeOrAge, 'only entries before this time'),
    operator: option(nameText, 'only entries of this operator'),
    command: inTerminal(
      option(askedBy('operation', withPlaceholder('command', text)), 'only entries of this operation'),
      'only entries of this command, such as "wallets fund"',
    ),
    after: inTerminal(
      option(auditId, 'only entries behind the one with this id, for the next page'),
      'only entries behind the one with this id (see --json), for the next page',
    ),
    limit: optionOr(count, '100', 'maximum number of entries'),
  },
  columns: { id: entryId, at: entryAt, what: 'text', changed: 'text', ...entryColumns },
  async run(context, { client: owner, family: of, product, ...filter }) {
    const { database } = context;
    const clientId = await clientIdNamed(database, owner);
    if ((product === undefined) !== (of === undefined))
      throw new Error('Name a product with its family: --family vouchers, topups or esim, and --product');
    const objects = of && product !== undefined ? await auditedAs(database, of, product) : undefined;
    const listed = await listAudit(database, { ...filter, clientId, objects });
    const found = await withReadableReasons(context, listed);
    const entries = await withOpenedValues(context, found);
    return entries
      .map((entry) => visibleEntry(context, entry))
      .map((entry) => {
        const { id, at, ...others } = entry;
        return { id, at, what: deedOf(entry), changed: changesIn(entry) || null, ...others };
      });
  },
  text(entries, { columns }, { object }) {
    if (entries.length === 0) return table(entries);
    if (hasLedger(object)) return ledgerTable(entries, columns);
    return entries.map((entry) => textOf(entry, columns)).join('\n\n');
  },
});

/** The entry as the role reads it, before its changes are put in words. The fee of a source is a part of its cost. */
function visibleEntry(context: Context, entry: ListedAudit): ListedAudit {
  const others = entry.object.startsWith('source/') ? ['fee'] : [];
  const shown = (row: object | null) => row && visibleRow(context, row, others);
  return { ...entry, before: shown(entry.before), after: shown(entry.after) };
}

/** The entries with the texts that their rows name. */
async function withOpenedValues(context: Context, entries: readonly ListedAudit[]): Promise<readonly ListedAudit[]> {
  const values = entries.flatMap(({ before, after }) => [...valuesOf(before), ...valuesOf(after)]);
  const open = await openedTexts(
    context,
    values.map(([, value]) => value).filter((value) => typeof value === 'string'),
  );
  const opened = (row: object | null) =>
    row &&
    Object.fromEntries(valuesOf(row).map(([name, value]) => [name, typeof value === 'string' ? open(value) : value]));
  return entries.map((entry) => ({ ...entry, before: opened(entry.before), after: opened(entry.after) }));
}

const valuesOf = (row: object | null): [string, unknown][] => Object.entries(row ?? {});

type Entry = Plain<ListedAudit & { what: string; changed: string | null }>;

/** Whether the object can have ledger entries. */
function hasLedger(object: string | undefined): boolean {
  return object !== undefined && /^(wallet|order)\//.test(object);
}

/** An entry in lines that fit the page: time and deed, caller, changes, reason. */
function textOf(entry: Entry, columns: number): string {
  const { at, what, object, client, changed } = entry;
  const who = client === null ? actorOf(entry) : `${actorOf(entry)}, account of ${client}`;
  const details = [who, changed ?? '', reasonOf(entry)].filter((detail) => detail !== '');
  const heading = wrapped(`${at} ${what}: ${object}`, columns);
  return [heading, ...details.map((detail) => wrapped(detail, columns, 2))].join('\n');
}

/** A row for each audit entry, with its ledger entry. The last column wraps. */
function ledgerTable(entries: readonly Entry[], columns: number): string {
  const lines = [['at', 'what', 'amount', 'balance', 'by'], ...entries.map(cellsOf)];
  return aligned(lines)
    .map((cells) => {
      const firstCells = `${cells.slice(0, -1).join('  ')}  `;
      return firstCells + wrapped(String(cells.at(-1)).trimEnd(), columns, firstCells.length).trimStart();
    })
    .join('\n');
}

function cellsOf(entry: Entry): string[] {
  const { moved } = entry;
  const at = `${entry.at.slice(0, 19)}Z`;
  if (!moved) return [at, entry.what, '', '', sentences([actorOf(entry), entry.changed ?? '', reasonOf(entry)])];
  const { kind, amount, currency, balance_after: balance, order_id: order, reference } = moved;
  const source = order === null ? `Reference ${reference}` : `Order ${order}`;
  const by = [actorOf(entry), source, reasonOf(entry)];
  return [at, kind, `${amount} ${currency}`, balance, sentences(by)];
}

function sentences(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('. ');
}

function reasonOf({ reason }: Entry): string {
  return reason === null ? '' : `Reason: ${reason}`;
}

function actorOf(entry: Entry): string {
  if (entry.actor === 'SERVICE') return '';
  return entry.actor === 'OPERATOR' ? operatorOf(entry) : callerOf(entry);
}

function operatorOf({ operator, command, database_role: role, approver }: Entry): string {
  const approval = approver === null ? '' : `, approved by ${approver}`;
  return `${operator ?? 'unknown operator'}${role === null ? '' : ` (${role})`} by ${command ?? 'Temporal'}${approval}`;
}

function callerOf({ api_key: key, member, address, request_id: request }: Entry): string {
  const who = member === null ? `Client with key ${key ?? 'unknown'}` : `Member ${member}`;
  return `${who} from ${address ?? 'unknown address'}, request ${request ?? 'unknown'}`;
}

export const auditOperations = [list];
