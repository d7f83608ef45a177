/**
 * `books`: the months of the books and their journals. docs/operators/books.md.
 * Rule: who closes a month
 */
import { readBookLines } from '../../../data/books/book-lines';
import { findClosedMonth, listClosedMonths, type ClosedMonth } from '../../../data/books/closed-months';
import type { Database } from '../../../data/database/database';
import { listDifferences } from '../../../data/purchases/settlement-differences';
import { journalRow } from '../../../domain/books/journal';
import { monthOf, nextMonth, startOfMonth } from '../../../domain/books/calendar-months';
import { closableFrom } from '../../../domain/books/closing-in-sequence';
import { journalText } from '../../../statements/journal-csv';
import { flag, inTerminal, optionalWord, word } from '../arguments';
import { month } from '../time-kinds';
import { documentOperation, neededReason, operation } from '../operation';
import { jsonText, table } from '../text';
import { closeMonth } from './close';
import { assertClosable } from './finished-before-the-close';
import { lineParts } from './line-parts';

const monthWord = inTerminal(word(month, 'the month (UTC)'), 'in UTC, such as 2026-10');

const close = operation({
  name: 'books close',
  button: 'Close the month',
  about:
    'Close a month of the books, from a day after its end. The months are closed one after the other, and none is opened again: ' +
    'what becomes known later stands in the next one',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  arguments: {
    month: monthWord,
    acceptOpen: flag('accept the open differences of the month, with the reason'),
    reason: neededReason,
  },
  trial: 'NONE',
  async check(context, { month: start, acceptOpen = false }) {
    if (start) await assertClosable(context, { month: monthOf(start), acceptOpen });
  },
  async preview(context, { month: start, acceptOpen }) {
    const named = monthOf(start);
    const beginning = await assertClosable(context, { month: named, acceptOpen });
    const first = beginning === named ? ` The books begin with it: no earlier month can be closed.` : '';
    const open = await listDifferences(context.database, { open: true });
    const accepted = open.filter((one) => one.month <= named).length;
    return `Closes ${named} for good.${first}${accepted > 0 ? ` Accepts open differences: ${accepted}.` : ''}`;
  },
  run: (context, { month: start, acceptOpen, reason }) =>
    closeMonth(context, { month: monthOf(start), acceptOpen, reason }),
  text: ({ month: closed, lines, accepted, sha256 }) =>
    `${closed} is closed. Lines: ${lines}${accepted > 0 ? `, accepted differences: ${accepted}` : ''}. SHA-256 of its journal: ${sha256}.`,
});

const journalKinds = {
  line: 'number',
  section: 'text',
  of_month: 'text',
  kind: 'text',
  client_id: 'number',
  client: 'text',
  family: 'text',
  supplier: 'text',
  currency: 'text',
  opening: 'text',
  closing: 'text',
  amount: 'text',
  debit: 'text',
  credit: 'text',
} as const;

/** A month of the books as the list shows it. */
interface ShownMonth extends Omit<ClosedMonth, 'closedAt' | 'closedBy' | 'accepted' | 'lines' | 'sha256'> {
  /** DUE: it can be closed, if nothing else prevents it. */
  state: 'OPEN' | 'DUE' | 'CLOSED';
  open_differences: number;
  closed_at: Date | null;
  closed_by: string | null;
  accepted: number | null;
  lines: number | null;
  sha256: string | null;
}

const show = operation({
  name: 'books show',
  about: 'The months of the books with their open differences, or the lines of a closed month',
  roles: ['viewer', 'finance'],
  effect: 'reads',
  arguments: {
    month: inTerminal(
      optionalWord(month, 'a closed month (UTC); default: all months'),
      'a closed month (UTC), such as 2026-10; default: all months',
    ),
  },
  columns: {
    month: 'text',
    state: 'text',
    open_differences: 'number',
    closed_at: 'time',
    closed_by: 'text',
    accepted: 'number',
    lines: 'number',
    sha256: 'text',
    ...journalKinds,
  },
  async run({ database }, { month: start }) {
    if (!start) return shownMonths(database);
    const named = monthOf(start);
    await assertClosed(database, named);
    const rows: ReturnType<typeof journalRow>[] = [];
    for await (const line of readBookLines(database, named)) rows.push(journalRow(named, line));
    return rows;
  },
  text: (rows, { tableColumns }) => table([...rows], tableColumns),
});

/** The closed months and those since the last one, newest first. Without a closed month, the last three. */
async function shownMonths(database: Database): Promise<ShownMonth[]> {
  const closed = await listClosedMonths(database);
  const open = await listDifferences(database, { open: true });
  const differencesOf = (named: string) => open.filter((one) => one.month === named).length;
  const now = monthOf(new Date());
  const last = closed[0]?.month;
  const shown: ShownMonth[] = closed.map((one) => ({
    month: one.month,
    state: 'CLOSED',
    open_differences: differencesOf(one.month),
    closed_at: one.closedAt,
    closed_by: one.closedBy,
    accepted: one.accepted,
    lines: one.lines,
    sha256: one.sha256,
  }));
  const none = { closed_at: null, closed_by: null, accepted: null, lines: null, sha256: null };
  for (let next = last ? nextMonth(last) : monthBefore(monthBefore(now)); next <= now; next = nextMonth(next)) {
    const isDue = (last === undefined || next === nextMonth(last)) && closableFrom(next) <= new Date();
    const state = isDue ? 'DUE' : 'OPEN';
    shown.unshift({ month: next, state, open_differences: differencesOf(next), ...none });
  }
  return shown;
}

const monthBefore = (named: string): string => monthOf(new Date(startOfMonth(named).getTime() - 1));

async function assertClosed(database: Database, named: string): Promise<void> {
  if (!(await findClosedMonth(database, named)))
    throw new Error(`${named} is not closed. See the months with: books show`);
}

const exportMonth = documentOperation({
  name: 'books export',
  button: 'Export the journal',
  about: 'The journal of a closed month as values separated by commas, with the numbers of your accounts',
  roles: ['viewer', 'finance'],
  effect: 'reads',
  isLong: true,
  arguments: { month: monthWord },
  async *parts({ database }, { month: start }, form) {
    const named = monthOf(start);
    await assertClosed(database, named);
    const lines = readBookLines(database, named);
    if (form === 'text') {
      yield* journalText(named, lines);
      return;
    }
    let separator = '[\n';
    for await (const line of lines) {
      yield `${separator}  ${jsonText(journalRow(named, line), 0)}`;
      separator = ',\n';
    }
    yield separator === '[\n' ? '[]\n' : '\n]\n';
  },
});

export const bookOperations = [close, exportMonth, show, lineParts];
