/** The result of an operation, as text, facts or a table. */
import type { ComponentChildren } from 'preact';
import { Facts, Row, Table } from '../../../parts/src/basics';
import type { Answer } from '../call';
import type { OperationView } from '../operations';
import { numbersAmong, captionOf, Cell, columnsOf, factsOf, isRows, type Row as Record } from './cells';
import { pageText } from './page-text';
import { Download } from './download';

export function ResultView({ operation, answer }: { operation: OperationView; answer: Answer | string }) {
  if (typeof answer === 'string')
    return (
      <>
        <Download name={operation.name} type="text/plain" read={() => Promise.resolve(answer)}>
          Download the document
        </Download>
        <pre class="document">{answer}</pre>
      </>
    );
  const { result, remarks, mark } = answer;
  return (
    <div class="result" role="status">
      {mark !== 0 && (
        <p class="notice">{mark === 1 ? 'Something is wrong: see below.' : 'A part needs force: see below.'}</p>
      )}
      {remarks.map((remark) => (
        <p key={remark} class="notice">
          {remark}
        </p>
      ))}
      <Data name={operation.subject} of={result} />
    </div>
  );
}

/** Any data of an operation. */
export function Data({ name, of }: { name: string; of: unknown }): ComponentChildren {
  if (typeof of === 'string') return <p class="text">{pageText(of)}</p>;
  if (isRows(of)) return of.length === 1 ? <Data name={name} of={of[0]} /> : <Rows name={name} rows={of} />;
  if (Array.isArray(of) && of.length === 0) return <p class="quiet">{name}: nothing.</p>;
  if (typeof of === 'object' && of !== null) return <Properties name={name} of={{ ...of }} />;
  return <p>{String(of)}</p>;
}

/** An object: its values as facts, and its lists and parts below. */
function Properties({ name, of }: { name: string; of: Record }) {
  const isNested = (value: unknown) => isRows(value) || (isObject(value) && !Array.isArray(value));
  const [nested, plain] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(of).filter(([, value]) => isNested(value) === wanted)),
  );
  return (
    <>
      <Facts of={factsOf(plain ?? {})} />
      {Object.entries(nested ?? {}).map(([key, value]) =>
        Array.isArray(value) && value.length > 1 ? (
          <Data key={key} name={`${name}: ${captionOf(key)}`} of={value} />
        ) : (
          <div key={key} class="part">
            <p class="part-name">{captionOf(key)}</p>
            <Data name={captionOf(key)} of={value} />
          </div>
        ),
      )}
    </>
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function Rows({ name, rows }: { name: string; rows: readonly Record[] }) {
  const columns = columnsOf(rows);
  return (
    <Table caption={name} columns={columns.map(captionOf)} numbers={numbersAmong(columns, rows)}>
      {rows.map((row, index) => (
        <Row
          key={index}
          cells={columns.map((column) => (
            <Cell name={column} value={row[column]} row={row} />
          ))}
        />
      ))}
    </Table>
  );
}
