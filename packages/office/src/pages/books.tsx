/** The months of the books, their open differences and their journals. */
import { Empty, Progress } from '../../../parts/src/basics';
import { readText } from '../call';
import { useOperation } from '../office';
import { textOf, type Row } from '../parts/cells';
import { Differences } from '../parts/differences';
import { Download } from '../parts/download';
import { List, inState } from '../parts/list';
import { useReading } from '../reading';
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
        rowActions={[
          { operation: 'books close', given: (row) => ({ month: monthIn(row) }), fits: inState('DUE') },
        ]}
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
          <Download
            name={`journal ${month}`}
            type="text/csv"
            read={() => readText(journal, { month }, 'text/plain')}
          >
            Export the journal
          </Download>
        </div>
      )}
      <List
        title="Lines"
        operation="books show"
        given={{ month }}
        columns={['section', 'kind', 'client', 'family', 'supplier', 'currency', 'amount', 'debit', 'credit']}
        more={['line', 'of_month', 'opening', 'closing']}
        nameOf={({ line }) => textOf(line)}
      />
    </>
  );
}
