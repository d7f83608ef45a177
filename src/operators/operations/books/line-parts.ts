/** `books parts`: what a line in the journal of a closed month is made of. docs/operators/books.md#the-parts-of-a-line. */
import { findBookLine } from '../../../data/books/book-lines';
import { listLineParts, type LinePart } from '../../../data/books/line-parts';
import { journalRow, type BookLine } from '../../../domain/books/journal';
import { endOfMonth, monthOf, startOfMonth } from '../../../domain/books/calendar-months';
import { Exact } from '../../../domain/prices/money';
import { inTerminal, optionOr, word } from '../arguments';
import { count, id } from '../kinds';
import { operation } from '../operation';
import { month } from '../time-kinds';

export const lineParts = operation({
  name: 'books parts',
  button: 'Show the parts',
  about:
    'What a line of a closed month is made of: the orders, credits, refunds or entries whose amounts add up to it; of a balance, what it was at the end and at the beginning',
  roles: ['viewer', 'finance'],
  effect: 'reads',
  isLong: true,
  arguments: {
    month: inTerminal(word(month, 'the closed month (UTC)'), 'in UTC, such as 2026-10'),
    line: word(id, 'the number of the line'),
    limit: optionOr(count, '100', 'maximum number of parts'),
  },
  columns: { kind: 'text', at: 'time', order_id: 'number', reference: 'text', currency: 'text', amount: 'text' },
  async run({ database }, { month: start, line: number, limit }) {
    const named = monthOf(start);
    const line = await findBookLine(database, named, number);
    if (!line) throw new Error(`${named} has no line ${number}. See its lines with: books show ${named}`);
    if (line.kind === 'MARGIN')
      throw new Error(
        `Line ${number} is a margin, which the books do not post. See the margins that are known now with: reports margin --month ${named}`,
      );
    // A correction downwards is shown as the posting the other way round.
    const sign = journalRow(named, line).amount === line.amount ? 1 : -1;
    const listed = await listLineParts(database, { month: named, line, sign, limit });
    const parts = listed ?? partsOfBalance(named, line, sign);
    return parts.map(({ amount, ...part }) => ({ ...part, currency: line.currency, amount }));
  },
});

/** The change of a balance: what it was at the end of the month, less what it was at the beginning. */
function partsOfBalance(named: string, { opening, closing }: BookLine, sign: 1 | -1): LinePart[] {
  const of = (at: Date, amount: Exact): LinePart => ({
    kind: 'BALANCE',
    at,
    order_id: null,
    reference: null,
    amount: amount.toFixed(),
  });
  return [
    of(endOfMonth(named), new Exact(closing ?? 0).times(sign)),
    of(startOfMonth(named), new Exact(opening ?? 0).times(-sign)),
  ];
}
