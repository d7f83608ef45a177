/** Components that several pages use. */
import { mdiCheck, mdiClose, mdiContentCopy, mdiInboxOutline } from '@mdi/js';
import { createContext, isValidElement, toChildArray, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { rejectionOf, type Rejection } from './rejection';
import { moment, shortMoment, words } from './format';
import { Icon } from './icon';
import type { Loaded } from './loading';
import { useIsNarrow } from './narrow';
import type { Sorting } from './sorting';

/** The status of an order, a delivery or an endpoint, as a word and a colour. */
export function Status({ of }: { of: string }) {
  return <span class={`status status-${of.toLowerCase().replaceAll(' ', '_')}`}>{words(of)}</span>;
}

export function Failure({ text, id }: { text: string | undefined; id?: string }) {
  return text === undefined ? null : (
    <p class="failure" role="alert" id={id}>
      {text}
    </p>
  );
}

/** Why an action was rejected, with the page that the person needs before it can be repeated. */
export function Rejected({ of }: { of: Rejection | undefined }) {
  if (of?.secondFactorPage === undefined) return <Failure text={of?.text} />;
  return (
    <p class="failure" role="alert">
      {of.text}, which is older than 10 minutes.{' '}
      <a href={of.secondFactorPage} target="_blank" rel="noopener">
        Give it again in a new window
      </a>
      , then repeat this here.
    </p>
  );
}

/** The state of a read that has no data to show yet: in progress, or its error. */
export function Progress({ of }: { of: Pick<Loaded<unknown>, 'data' | 'failure'> }) {
  if (of.failure !== undefined) return <Failure text={of.failure} />;
  if (of.data !== undefined) return null;
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Loading …</span>
      {Array.from({ length: 5 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

interface EmptyProps {
  /** What there is none of, in a sentence. */
  what: ComponentChildren;
  /** What to do first, or when something appears here. */
  children?: ComponentChildren;
}

/** The place of a list without rows. */
export function Empty({ what, children }: EmptyProps) {
  return (
    <div class="empty" role="status">
      <Icon of={mdiInboxOutline} />
      <p class="what">{what}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** Runs an action once at a time, and keeps its rejection until the next run. */
export function useRun(run: () => Promise<unknown>) {
  const [isBusy, setIsBusy] = useState(false);
  const [rejection, setRejection] = useState<Rejection>();
  // A second event can come before the page has drawn that it is busy.
  const isRunning = useRef(false);
  const start = () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    setRejection(undefined);
    run()
      .catch((error: unknown) => setRejection(rejectionOf(error)))
      .finally(() => {
        isRunning.current = false;
        setIsBusy(false);
      });
  };
  return { isBusy, rejection, start };
}

export type Kind = 'plain' | 'primary' | 'danger';

/** The question that a user confirms before an action that cannot be undone. */
interface Question {
  title: string;
  text: string;
}

interface ActionProps {
  children: ComponentChildren;
  run: () => Promise<unknown>;
  kind?: Kind;
  /** Asked before the action runs. */
  confirm?: Question;
  /** Said after the action, if the page shows no other effect of it. */
  done?: string;
}

/** A button that runs an action once at a time and shows the error of the action. */
export function Action({ children, run, kind = 'plain', confirm, done }: ActionProps) {
  const [isDone, setIsDone] = useState(false);
  const { isBusy, rejection, start } = useRun(async () => {
    setIsDone(false);
    await run();
    setIsDone(true);
  });
  const [isAsking, setIsAsking] = useState(false);
  const confirmed = () => {
    setIsAsking(false);
    start();
  };
  return (
    <>
      <button type="button" class={kind} aria-busy={isBusy} onClick={confirm ? () => setIsAsking(true) : start}>
        {children}
      </button>
      <Rejected of={rejection} />
      {isDone && done !== undefined && <span role="status">{done}</span>}
      {confirm && isAsking && (
        <Dialog title={confirm.title} close={() => setIsAsking(false)}>
          <p>{confirm.text}</p>
          <div class="buttons">
            <button type="button" class="danger" onClick={confirmed}>
              {children}
            </button>
            <button type="button" onClick={() => setIsAsking(false)}>
              Keep
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** A modal dialog. The browser keeps the focus inside and closes it with Escape; closing restores the focus. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    focusFirstField(dialog.current);
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={close}>
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet icon-only" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon of={mdiClose} />
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** Moves the focus to the first field of the dialog's form, unless it is in the form. Without one, the browser has chosen. */
export function focusFirstField(dialog: Element | null | undefined): void {
  if (!dialog || dialog.querySelector('form :focus')) return;
  const first = dialog.querySelector<HTMLElement>('form :is(input, select, textarea):enabled');
  const chosen = first?.matches('[type=radio]') ? dialog.querySelector<HTMLElement>('input:checked') : null;
  (chosen ?? first)?.focus();
}

interface TableColumns {
  columns: readonly string[];
  /** The columns of numbers, which are aligned at their ends. */
  numbers: readonly string[];
  /** Whether each column has a value in a row. */
  isFilled: readonly boolean[];
}

const Columns = createContext<TableColumns>({ columns: [], numbers: [], isFilled: [] });

/** Whether a cell shows nothing, or the dash of an unknown value. */
function isNothing(cell: unknown): boolean {
  if (isValidElement(cell)) return cell.type === At && !('time' in cell.props && cell.props.time);
  return [null, undefined, false, '', '–'].some((nothing) => nothing === cell);
}

/** The cells of a `Row`; undefined of any other child. */
function cellsOf(row: unknown): readonly unknown[] | undefined {
  const props: object = isValidElement(row) ? row.props : {};
  return 'cells' in props && Array.isArray(props.cells) ? props.cells : undefined;
}

/** Whether each column has a value in one of the rows. The first one names the row, and stays. */
function filledAmong(columns: readonly string[], rows: readonly unknown[]): boolean[] {
  const all = rows.map(cellsOf);
  return columns.map((_, index) => index === 0 || all.some((cells) => !cells || !isNothing(cells[index])));
}

const classOf = (column: string | undefined, numbers: readonly string[]) =>
  column !== undefined && numbers.includes(column) ? 'numbers' : undefined;

/**
 * A table with a caption, without the columns that are empty; a sentence if it has no rows. In a narrow window each row becomes a list of names and values, so that nothing is cut off. The
 * roles keep it a table for screen readers.
 */
export function Table({
  caption,
  columns,
  numbers = [],
  children,
  isCaptionHidden = false,
  sorting,
}: {
  caption: string;
  columns: readonly string[];
  numbers?: readonly string[];
  children: ComponentChildren;
  isCaptionHidden?: boolean;
  /** How the person sorts the rows. Absent for rows that keep their sequence. */
  sorting?: Sorting | undefined;
}) {
  const rows = toChildArray(children);
  if (rows.length === 0) return <Empty what={`${caption}: none.`} />;
  const isFilled = filledAmong(columns, rows);
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      {sorting && <SortSelect of={sorting} />}
      <table role="table">
        <caption class={isCaptionHidden ? 'unseen' : ''}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns
              .filter((_, index) => isFilled[index])
              .map((column) => (
                <Heading key={column} column={column} sorting={sorting} numbers={numbers} />
              ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          <Columns.Provider value={{ columns, numbers, isFilled }}>{children}</Columns.Provider>
        </tbody>
      </table>
    </div>
  );
}

/** The caption of a column. A click sorts by it: up, then down, then as before. */
function Heading({
  column,
  sorting,
  numbers,
}: {
  column: string;
  sorting: Sorting | undefined;
  numbers: readonly string[];
}) {
  if (!sorting?.columns.includes(column))
    return (
      <th role="columnheader" scope="col" class={classOf(column, numbers)}>
        {column}
      </th>
    );
  const { by, isDescending, choose } = sorting;
  const isChosen = by === column;
  return (
    <th
      role="columnheader"
      scope="col"
      class={classOf(column, numbers)}
      aria-sort={isChosen ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="sort"
        onClick={() => choose(isChosen && isDescending ? undefined : column, isChosen)}
      >
        {column}
        {isChosen && <span aria-hidden="true">{isDescending ? '↓' : '↑'}</span>}
      </button>
    </th>
  );
}

/** The choice of the column in a narrow window, which has no headings. */
function SortSelect({ of: { columns, by, isDescending, choose } }: { of: Sorting }) {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return null;
  const choices = columns.flatMap((column) => [
    [`${column} ↑`, column, false] as const,
    [`${column} ↓`, column, true] as const,
  ]);
  const chosen = choices.findIndex(([, column, isDown]) => column === by && isDown === isDescending);
  return (
    <label class="sort">
      Sort by{' '}
      <select
        value={String(chosen)}
        onChange={(event) => {
          const [, column, isDown = false] = choices[Number(event.currentTarget.value)] ?? [];
          choose(column, isDown);
        }}
      >
        <option value="-1">as listed</option>
        {choices.map(([text], index) => (
          <option key={text} value={String(index)}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface RowProps {
  cells: readonly ComponentChildren[];
  'data-order'?: number;
  'data-event'?: string;
}

/** A row of a `Table`, with a cell for each column. */
export function Row({ cells, ...attributes }: RowProps) {
  const { columns, numbers, isFilled } = useContext(Columns);
  return (
    <tr role="row" {...attributes}>
      {columns.map(
        (column, index) =>
          isFilled[index] && (
            <td key={column} role="cell" data-column={column} class={classOf(column, numbers)}>
              {cells[index]}
            </td>
          ),
      )}
    </tr>
  );
}

/** The figures of a day: the name of each, the value, and what it counts. */
export function Figures({
  of,
}: {
  of: readonly (readonly [name: string, value: ComponentChildren, more: ComponentChildren])[];
}) {
  return (
    <dl class="figures">
      {of.map(([name, value, more]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd class="figure">{value}</dd>
          <dd class="quiet">{more}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A number that is not broken into lines. */
export function Figure({ children }: { children: ComponentChildren }) {
  return <span class="number">{children}</span>;
}

/** A text that breaks behind an `@` if it is too long for its place. */
export function Breakable({ text }: { text: string }) {
  const [start, ...rest] = text.split(/(?<=@)/);
  return (
    <>
      {start}
      {rest.map((part) => (
        <>
          <wbr />
          {part}
        </>
      ))}
    </>
  );
}

/** A time of a list, to the minute; the whole of it where the pointer rests. */
export function At({ time }: { time: string | null | undefined }) {
  return time ? (
    <time class="number" dateTime={time} title={moment(time)}>
      {shortMoment(time)}
    </time>
  ) : null;
}

/** A text with a button that copies it. `shown`: the text as people read it, if it differs. */
interface CopyableProps {
  label: string;
  text: string;
  /** What is shown in place of the text. */
  shown?: ComponentChildren;
}

export function Copyable({ label, text, shown = text }: CopyableProps) {
  return (
    <span class="copyable">
      <code>{shown}</code>
      <CopyButton label={label} text={text} />
    </span>
  );
}

export function CopyButton({ label, text }: { label: string; text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => void navigator.clipboard?.writeText(text).then(() => setIsCopied(true));
  return (
    <button
      type="button"
      class="quiet icon-only"
      aria-label={isCopied ? `Copied ${label}` : `Copy ${label}`}
      onClick={copy}
    >
      <Icon of={isCopied ? mdiCheck : mdiContentCopy} />
    </button>
  );
}

/** A list of names and values. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  const known = of.filter(([, value]) => toChildArray(value).some((part) => part !== ''));
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to pages, one of which is current. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { name: string; href: string; isCurrent: boolean }[];
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, href, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
