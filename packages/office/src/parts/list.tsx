/** A list, made from a reading operation: filters, sorting, pages, a file, and the actions of its rows. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Facts, Progress, Row as TableRow, Table } from '../../../parts/src/basics';
import { useSorted } from '../../../parts/src/sorting';
import { readText, type Values } from '../call';
import { useKept } from '../kept';
import { useOffice, useOperation } from '../office';
import type { OperationView } from '../operations';
import { useReading } from '../reading';
import { amountsAmong, captionOf, Cell, columnsOf, factsOf, filledOf, type Row } from './cells';
import { Do } from './do';
import { Download } from './download';
import { Filters } from './filters';

/** An operation about a row. */
export interface RowAction {
  operation: string;
  label?: string;
  given: (row: Row) => Values;
  /** Whether the row can take it. Default: every row. */
  fits?: (row: Row) => boolean;
}

/** Whether a row is in one of these states. */
export const inState =
  (...wanted: readonly string[]) =>
  ({ state }: Row) =>
    wanted.some((each) => each === state);

interface ListProps {
  title: string;
  operation: string;
  /** Arguments that the page sets. */
  given?: Values;
  /** The arguments that a person may filter and sort by. */
  filters?: readonly string[];
  /** Default: all that a row has a value for. */
  columns?: readonly string[];
  /** The columns that a row shows after a click, because they need much room. */
  more?: readonly string[];
  /** What names a row among all rows; the next page is behind the last one's. Default: its id. */
  nameOf?: (row: Row) => string | undefined;
  /** The page about a row, linked from the first column. */
  href?: (row: Row) => string | undefined;
  rowActions?: readonly RowAction[];
  /** Operations above the list. */
  actions?: readonly string[];
  /** The values that the operations above the list get. */
  actionsGiven?: Values;
  /** The rows of the result, if it is none itself. */
  rowsIn?: (result: unknown) => readonly Row[];
  /** Reads the list again when it changes. */
  version?: number;
  /** Called after an action that the list offers. The list reads its rows again by itself. */
  onChanged?: () => void;
  children?: ComponentChildren;
}

const PAGE_SIZE = 50;

const idOf = ({ id }: Row) => (typeof id === 'number' || typeof id === 'string' ? String(id) : undefined);

export function List(props: ListProps) {
  const operation = useOperation(props.operation);
  return operation ? <OpenList {...props} view={operation} /> : null;
}

function OpenList({ view, version = 0, ...props }: ListProps & { view: OperationView }) {
  const { title, operation, given = {}, filters = [], actions = [], actionsGiven, children } = props;
  const { nameOf = idOf } = props;
  const heading = useId();
  const [changes, setChanges] = useState(0);
  const argumentNamed = (name: string) => view.arguments.find((argument) => argument.name === name);
  const has = (name: string) => argumentNamed(name) !== undefined;
  const isSecret = (name: string) => argumentNamed(name)?.isConfidential === true;
  const { filters: kept, cursors, filter, turn } = useKept(operation, { isSecret });
  const after = cursors.at(-1);
  const wanted: Values = { ...given, ...kept };
  const values: Values = {
    ...wanted,
    ...(has('limit') && { limit: PAGE_SIZE }),
    ...(after !== undefined && { after }),
  };
  const rows = useReading<unknown>(operation, values, { version: version + changes });
  const data = rows.data === undefined ? undefined : (props.rowsIn ?? asRows)(rows.data);
  const changed = () => {
    setChanges((before) => before + 1);
    props.onChanged?.();
  };
  const last = data?.at(-1);
  const next = has('after') && data?.length === PAGE_SIZE && last ? nameOf(last) : undefined;
  return (
    <section aria-labelledby={heading}>
      <div class="section-head">
        <h2 id={heading}>{title}</h2>
        <div class="buttons">
          {actions.map((name) => (
            <Do key={name} operation={name} given={actionsGiven} done={changed} />
          ))}
          {data && (
            <Download name={operation} type="text/csv" read={() => readText(view, wanted, 'text/csv')}>
              CSV
            </Download>
          )}
        </div>
      </div>
      {children}
      {filters.some(has) && <Filters view={view} names={filters} apply={filter} values={kept} />}
      <Progress of={rows} />
      {rows.remarks.map((remark) => (
        <p key={remark} class="notice">
          {remark}
        </p>
      ))}
      {data && <Rows {...props} title={title} rows={data} changed={changed} isPage={has('after')} />}
      <Pages title={title} cursors={cursors} next={next} turn={turn} />
    </section>
  );
}

interface PagesProps {
  title: string;
  /** What names the last rows of the pages before this one. */
  cursors: readonly string[];
  /** What names the last row of this page; undefined on the last page. */
  next: string | undefined;
  turn: (cursors: readonly string[]) => void;
}

function Pages({ title, cursors, next, turn }: PagesProps) {
  if (cursors.length === 0 && next === undefined) return null;
  return (
    <nav class="buttons" aria-label={`Pages of ${title}`}>
      <button type="button" disabled={cursors.length === 0} onClick={() => turn(cursors.slice(0, -1))}>
        Previous
      </button>
      <button
        type="button"
        disabled={next === undefined}
        onClick={() => next !== undefined && turn([...cursors, next])}
      >
        Next
      </button>
    </nav>
  );
}

function asRows(result: unknown): readonly Row[] {
  return Array.isArray(result) ? (result as Row[]) : [];
}

interface RowsProps extends Pick<ListProps, 'title' | 'columns' | 'more' | 'nameOf' | 'href' | 'rowActions'> {
  rows: readonly Row[];
  changed: () => void;
  /** The rows may be one page of many, so they keep their sequence. */
  isPage?: boolean;
}

/** Rows with links and actions. */
export function Rows({ title, rows, changed, isPage = false, ...shown }: RowsProps) {
  const { columns, more = [], nameOf = idOf, href } = shown;
  const { operations } = useOffice();
  const rowActions = (shown.rowActions ?? []).filter(({ operation }) => operations.has(operation));
  const listed = columns ?? columnsOf(rows);
  const { sorted, sorting } = useSorted(
    rows,
    listed.map(captionOf),
    (row, caption) => row[listed.find((name) => captionOf(name) === caption) ?? ''],
  );
  if (rows.length === 0) return <p class="quiet">Nothing is listed.</p>;
  const names = filledOf(listed, rows);
  const hidden = filledOf(more, rows);
  const captions = [
    ...names.map(captionOf),
    ...(hidden.length > 0 ? ['More'] : []),
    ...(rowActions.length > 0 ? ['Actions'] : []),
  ];
  const linked = (row: Row, name: string, index: number) => {
    const target = index === 0 ? href?.(row) : undefined;
    const cell = <Cell name={name} value={row[name]} row={row} />;
    return target === undefined ? cell : <a href={target}>{String(row[name])}</a>;
  };
  return (
    <Table
      caption={`List: ${title}`}
      isCaptionHidden
      columns={captions}
      numbers={amountsAmong(names)}
      sorting={isPage || rows.length === 1 ? undefined : { ...sorting, columns: names.map(captionOf) }}
    >
      {sorted.map((row, index) => (
        <TableRow
          key={nameOf(row) ?? index}
          cells={[
            ...names.map((name, column) => linked(row, name, column)),
            ...(hidden.length > 0 ? [<More row={row} names={hidden} />] : []),
            ...(rowActions.length > 0 ? [<Actions row={row} actions={rowActions} changed={changed} />] : []),
          ]}
        />
      ))}
    </Table>
  );
}

/** The values of a row that need much room. */
function More({ row, names }: { row: Row; names: readonly string[] }) {
  const facts = factsOf(Object.fromEntries(names.map((name) => [name, row[name]])));
  if (facts.length === 0) return null;
  return (
    <details class="more">
      <summary>Show</summary>
      <Facts of={facts} />
    </details>
  );
}

function Actions({
  row,
  actions,
  changed,
}: {
  row: Row;
  actions: readonly RowAction[];
  changed: () => void;
}) {
  const fitting = actions.filter(({ fits }) => fits?.(row) ?? true);
  if (fitting.length === 0) return null;
  return (
    <span class="buttons">
      {fitting.map(({ operation, label, given }) => (
        <Do
          key={operation}
          operation={operation}
          given={given(row)}
          isInRow
          done={changed}
          {...(label !== undefined && { label })}
        />
      ))}
    </span>
  );
}
