/** A list, made from a reading operation: filters, sorting, columns, more rows, a file, and the actions of its rows. */
import { mdiDotsHorizontal } from '@mdi/js';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Empty, Facts, Progress, Row as TableRow, Table } from '../../../parts/src/basics';
import { ColumnMenu, useColumns, type Chosen } from '../../../parts/src/columns';
import { useFit } from '../../../parts/src/fit';
import { Fold } from '../../../parts/src/fold';
import { Icon } from '../../../parts/src/icon';
import { MoreRows, usePageSize } from '../../../parts/src/more-rows';
import { useIsNarrow } from '../../../parts/src/narrow';
import { Popup } from '../../../parts/src/popup';
import { useSorted } from '../../../parts/src/sorting';
import { readText, type Values } from '../call';
import { useIsMain, useKept } from '../kept';
import { useOffice, useOperation } from '../office';
import type { OperationView } from '../operations';
import { useReading } from '../reading';
import { captionOf, Cell, codeInWords, columnsOf, factsOf, filledOf, numbersAmong, textOf, type Row } from './cells';
import { Do } from './do';
import { Download } from './download';
import { Filters } from './filters';
import { firstSteps } from './first-steps';

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
  /** What names a row among all rows. Default: its id. */
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
  /** Whether the list loads only when a person unfolds it. In a narrow window, every list but the main one does. */
  isFolded?: boolean;
  /** Called after an action that the list offers. The list reads its rows again by itself. */
  onChanged?: () => void;
  children?: ComponentChildren;
}

/** How many rows a list shows at first, and adds, if it is not the main list of its page. */
const BESIDE = 10;
/** The values that a card of a narrow window shows at first. */
const IN_CARD = 6;

const idOf = ({ id }: Row) => (typeof id === 'number' || typeof id === 'string' ? String(id) : undefined);

export function List(props: ListProps) {
  const operation = useOperation(props.operation);
  const isBeside = useIsNarrow() && !useIsMain(props.operation);
  const { isFolded = isBeside } = props;
  if (!operation) return null;
  if (!isFolded) return <OpenList {...props} view={operation} />;
  return (
    <Fold title={props.title}>
      <OpenList {...props} view={operation} isTitled={false} />
    </Fold>
  );
}

function OpenList({
  view,
  version = 0,
  isTitled = true,
  ...props
}: ListProps & { view: OperationView; isTitled?: boolean }) {
  const { title, operation, given = {}, filters = [], children } = props;
  const heading = useId();
  const [changes, setChanges] = useState(0);
  const isMain = useIsMain(operation);
  const has = (name: string) => view.arguments.some((argument) => argument.name === name);
  const kept = useKept(operation);
  const columns = useColumns(operation, props.columns);
  const pageSize = usePageSize();
  const size = isMain ? pageSize : BESIDE;
  const shown = kept.rows ?? size;
  const wanted: Values = { ...given, ...kept.filters };
  const part: Values = has('limit') ? { limit: shown } : {};
  const rows = useReading<unknown>(operation, wanted, { version: version + changes }, part);
  const data = rows.data === undefined ? undefined : (props.rowsIn ?? asRows)(rows.data);
  const changed = () => {
    setChanges((before) => before + 1);
    props.onChanged?.();
  };
  const full = rows.isOld ? shown - size : shown;
  const isCut = has('limit') && data !== undefined && data.length >= full;
  return (
    <section aria-labelledby={isTitled ? heading : undefined} aria-label={isTitled ? undefined : title}>
      <div class="section-head">
        {isTitled && <h2 id={heading}>{title}</h2>}
        <Above {...props} {...{ view, isMain, columns, changed, wanted }} of={data} />
      </div>
      {children}
      {filters.some(has) && <Filters view={view} names={filters} apply={kept.filter} values={kept.filters} />}
      <Progress of={rows} />
      {rows.remarks.map((remark) => (
        <p key={remark} class="notice">
          {remark}
        </p>
      ))}
      {data?.length === 0 && (
        <NoRows isFiltered={Object.keys(kept.filters).length > 0} clear={() => kept.filter({})}>
          {firstSteps.get(operation)}
        </NoRows>
      )}
      {data && data.length > 0 && (
        <Rows
          {...props}
          {...(columns.chosen && { columns: columns.chosen })}
          isWhole={columns.isOwn}
          title={title}
          rows={data}
          changed={changed}
          isPage={isCut}
        />
      )}
      {isCut && <MoreRows isEndless={isMain} show={() => kept.show(shown + size)} />}
    </section>
  );
}

interface AboveProps extends Pick<ListProps, 'operation' | 'actions' | 'actionsGiven' | 'more'> {
  view: OperationView;
  isMain: boolean;
  columns: Chosen;
  changed: () => void;
  /** The arguments without the number of rows. */
  wanted: Values;
  of: readonly Row[] | undefined;
}

/** The buttons above a list. */
function Above({ of: rows, operation, actions = [], actionsGiven, more = [], ...shown }: AboveProps) {
  const { view, isMain, columns, changed, wanted } = shown;
  const shownColumns = columns.chosen ?? columnsOf(rows ?? []);
  return (
    <div class="buttons">
      {isMain && rows && rows.length > 0 && (
        <ColumnMenu
          all={[...new Set([...shownColumns, ...more, ...rows.flatMap((row) => Object.keys(row))])]}
          shown={shownColumns}
          choose={columns.choose}
          captionOf={captionOf}
        />
      )}
      {rows && (
        <Download name={operation} type="text/csv" read={() => readText(view, wanted, 'text/csv')}>
          CSV
        </Download>
      )}
      {actions.map((name) => (
        <Do
          key={name}
          operation={name}
          given={actionsGiven}
          done={changed}
          kind={isMain && makes.test(name) ? 'primary' : 'plain'}
        />
      ))}
    </div>
  );
}

interface NoRowsProps {
  isFiltered: boolean;
  clear: () => void;
  /** What to do first. */
  children: ComponentChildren;
}

function NoRows({ isFiltered, clear, children }: NoRowsProps) {
  return (
    <Empty what="Nothing is listed.">
      {isFiltered ? (
        <button type="button" class="quiet" onClick={clear}>
          Remove the filters
        </button>
      ) : (
        children
      )}
    </Empty>
  );
}

/** The operations that make what the page lists. One is the primary action of the page. */
const makes = / (create|invite|import)$/;

function asRows(result: unknown): readonly Row[] {
  return Array.isArray(result) ? (result as Row[]) : [];
}

interface RowsProps extends Pick<ListProps, 'title' | 'columns' | 'more' | 'nameOf' | 'href' | 'rowActions'> {
  rows: readonly Row[];
  changed: () => void;
  /** The rows may be one page of many, so they keep their sequence. */
  isPage?: boolean;
  /** Whether all columns stand in the table, however wide it is: a person has chosen them. */
  isWhole?: boolean;
}

const currencies = ['currency', 'currency_code'];

/** The columns of our codes, which a link shows in words. */
const coded = ['family', 'kind'];

/** A code sorts as the words that a person reads. */
const sortedAs = (value: unknown) => (typeof value === 'string' ? codeInWords(value) : value);

/** Rows with links and actions. */
export function Rows({ title, rows, changed, isPage = false, isWhole = false, ...shown }: RowsProps) {
  const { columns, more = [], nameOf = idOf, href } = shown;
  const isNarrow = useIsNarrow();
  const { operations } = useOffice();
  const rowActions = (shown.rowActions ?? []).filter(({ operation }) => operations.has(operation));
  const listed = columns ?? columnsOf(rows);
  const { sorted, sorting } = useSorted(rows, listed.map(captionOf), (row, caption) =>
    sortedAs(row[listed.find((name) => captionOf(name) === caption) ?? '']),
  );
  const filled = filledOf(listed, rows);
  const fit = useFit(filled.join(' '), filled.length);
  if (rows.length === 0) return <Empty what="Nothing is listed." />;
  const names = filled.slice(0, isNarrow ? IN_CARD : isWhole ? undefined : fit.count);
  const hidden = [...filled.slice(names.length), ...filledOf(more, rows).filter((name) => !filled.includes(name))];
  const withCurrency = !filled.some((name) => currencies.includes(name));
  const captions = [
    ...names.map(captionOf),
    ...(hidden.length > 0 ? ['More'] : []),
    ...(rowActions.length > 0 ? ['Actions'] : []),
  ];
  const named = (row: Row) => textOf(row[listed.find((name) => row[name] !== null) ?? ''] ?? '');
  const linked = (row: Row, name: string, index: number) => {
    const target = index === 0 ? href?.(row) : undefined;
    const cell = <Cell name={name} value={row[name]} row={row} withCurrency={withCurrency} />;
    const text = String(row[name]);
    return target === undefined ? cell : <a href={target}>{coded.includes(name) ? codeInWords(text) : text}</a>;
  };
  return (
    <div ref={fit.box}>
      <Table
        caption={`List: ${title}`}
        isCaptionHidden
        columns={captions}
        numbers={numbersAmong(names, rows)}
        sorting={isPage || rows.length === 1 ? undefined : { ...sorting, columns: names.map(captionOf) }}
      >
        {sorted.map((row, index) => (
          <TableRow
            key={nameOf(row) ?? index}
            cells={[
              ...names.map((name, column) => linked(row, name, column)),
              ...(hidden.length > 0 ? [<More row={row} names={hidden} />] : []),
              ...(rowActions.length > 0
                ? [<Actions {...{ row, changed }} name={named(row)} actions={rowActions} />]
                : []),
            ]}
          />
        ))}
      </Table>
    </div>
  );
}

/** The values of a row that need much room. */
function More({ row, names }: { row: Row; names: readonly string[] }) {
  const facts = factsOf(Object.fromEntries(names.map((name) => [name, row[name]])));
  const isNarrow = useIsNarrow();
  if (facts.length === 0) return null;
  // In the row, they would make its table wider than the page.
  if (!isNarrow)
    return (
      <Popup class="more" buttonClass="quiet" button="Show">
        <Facts of={facts} />
      </Popup>
    );
  return (
    <details class="more">
      <summary>Show</summary>
      <Facts of={facts} />
    </details>
  );
}

/** Of more actions than this, the first one stands in the row and the others in a menu. */
const IN_ROW = 2;

function Actions({
  row,
  name,
  actions,
  changed,
}: {
  row: Row;
  name: string;
  actions: readonly RowAction[];
  changed: () => void;
}) {
  const fitting = actions.filter(({ fits }) => fits?.(row) ?? true);
  if (fitting.length === 0) return null;
  const buttons = fitting.map(({ operation, label, given }) => (
    <Do
      key={operation}
      operation={operation}
      given={given(row)}
      isInRow
      row={name}
      done={changed}
      {...(label !== undefined && { label })}
    />
  ));
  if (fitting.length <= IN_ROW) return <span class="buttons">{buttons}</span>;
  const [first, ...others] = buttons;
  return (
    <span class="buttons">
      {first}
      <Popup label="More actions" buttonClass="quiet icon-only" button={<Icon of={mdiDotsHorizontal} />}>
        {others}
      </Popup>
    </span>
  );
}
