/** The months of the books, their open differences, their journals and the parts of a line. */
import { Empty, Progress } from '../../../parts/src/basics';
import { readText } from '../call';
import { useOperation } from '../office';
import { textOf, type Row } from '../parts/cells';
import { Differences } from '../parts/differences';
import { Download } from '../parts/download';
import { List, inState } from '../parts/list';
import { useReading } from '../reading';
import { MARGIN } from '../sums';
import { hrefOf } from '../route';

const monthIn = ({ month }: Row): string => textOf(month);

export function BooksPage() {
  return (
    <>
      <List
        title="Months"
        operation="books show"
        columns={['month', 'state', 'open_differences', 'accepted', 'lines', 'closed_at', 'closed_by']}
        more={['sha256']}
        nameOf={monthIn}
        href={(row) => hrefOf('books', monthIn(row))}
        rowActions={[{ operation: 'books close', given: (row) => ({ month: monthIn(row) }), fits: inState('DUE') }]}
      />
      <Differences given={{ open: true }} />
    </>
  );
}

export function MonthPage({ month }: { month: string }) {
  const months = useReading<Row[]>('books show');
  const isClosed = months.data?.some((row) => monthIn(row) === month && inState('CLOSED')(row));
  return (
    <>
      <Progress of={months} />
      {isClosed === true && <Journal month={month} />}
      {isClosed === false && <Empty what={`The books of ${month} are not closed.`} />}
      <Differences given={{ month }} />
    </>
  );
}

function Journal({ month }: { month: string }) {
  const journal = useOperation('books export');
  return (
    <>
      {journal && (
        <div class="buttons" role="group" aria-label="Actions">
          <Download name={`journal ${month}`} type="text/csv" read={() => readText(journal, { month }, 'text/plain')}>
            Export the journal
          </Download>
        </div>
      )}
      <List
        title="Lines"
        operation="books show"
        given={{ month }}
        columns={['kind', 'section', 'client', 'family', 'supplier', 'currency', 'amount', 'debit', 'credit']}
        more={['line', 'of_month', 'opening', 'closing']}
        nameOf={({ line }) => textOf(line)}
        href={(row) => (row['kind'] === MARGIN ? undefined : hrefOf('books', month, textOf(row['line'])))}
      />
    </>
  );
}

export function LinePage({ month, line }: { month: string; line: string }) {
  return (
    <>
      <p>
        <a href={hrefOf('books', month)}>All lines of {month}</a>
      </p>
      <List
        title="Parts"
        operation="books parts"
        given={{ month, line }}
        columns={['kind', 'at', 'order_id', 'reference', 'amount']}
        nameOf={({ kind, order_id: order, reference, at }) => [kind, order, reference, at].join(' ')}
      >
        <p class="quiet">
          The amounts add up to that of the line. What changed about an order since the last close is in its amount
          here, and in the next month that is closed.
        </p>
      </List>
    </>
  );
}
