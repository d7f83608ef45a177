/** What was measured: the table, and the file that keeps it. */
import { cpus } from 'node:os';
import { RunDirectory } from '../stack/run-directory';

/** What a figure must be. */
export interface Target {
  must: 'be at most' | 'be at least';
  value: number;
}

/** One line of the table. */
export interface Line {
  /** What was measured, of what: `voucher order, one client: latency`. */
  work: string;
  unit: string;
  ours: number;
  /** What it stands beside; missing where the target is for the figure itself. */
  floor?: number;
  /** Of ours and floor, whichever way the target has it; ours where there is no floor. */
  compared: number;
  /** Missing where the line is only told. */
  target?: Target;
}

/** All lines of a part that was measured. */
export interface PartReport {
  part: string;
  /** Where Temporal keeps what it has. */
  persistence: Persistence;
  measuredAt: string;
  machine: string;
  lines: Line[];
}

export const persistences = ['sqlite', 'postgres'] as const;
export type Persistence = (typeof persistences)[number];

const FILE = 'bench.json';

export const atMost = (value: number): Target => ({ must: 'be at most', value });
export const atLeast = (value: number): Target => ({ must: 'be at least', value });

/** A line that says how many times its floor ours is. */
export function timesFloor(work: string, unit: string, ours: number, floor: number, target?: Target): Line {
  return { work, unit, ours, floor, compared: ours / floor, ...(target && { target }) };
}

/** A line that says which part of ours the floor is. */
export function floorShare(work: string, unit: string, ours: number, floor: number, target: Target): Line {
  return { work, unit, ours, floor, compared: floor / ours, target };
}

/** A line whose figure stands for itself. */
export function alone(work: string, unit: string, ours: number, target?: Target): Line {
  return { work, unit, ours, compared: ours, ...(target && { target }) };
}

/** Keeps what was measured of a part in `.run/bench.json`, instead of what was there of it. */
export function keep(part: string, persistence: Persistence, lines: Line[]): void {
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
  const report = { part, persistence, measuredAt: new Date().toISOString(), machine, lines };
  const others = kept().filter((other) => other.part !== part || other.persistence !== persistence);
  new RunDirectory('.run').writeJson(FILE, { parts: [...others, report] });
}

/** All that is kept, in the order in which it was measured. */
export function kept(): PartReport[] {
  return new RunDirectory('.run').readJson<{ parts: PartReport[] }>(FILE)?.parts ?? [];
}

const headings = ['', 'ours', 'floor', 'compared', 'must be', ''] as const;

/** The lines as a table of text. */
export function table(reports: readonly PartReport[]): string {
  const cells = [headings, ...reports.flatMap(rowsOf)];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      ),
    )
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}

/** The lines as a table of Markdown. */
export function markdown(reports: readonly PartReport[]): string {
  const asRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [asRow(headings), asRow(headings.map(() => '---')), ...reports.flatMap(rowsOf).map(asRow)].join(
    '\n',
  );
}

function rowsOf({ lines, persistence }: PartReport): string[][] {
  return lines.map(({ work, unit, ours, floor, compared, target }) => [
    persistence === 'postgres' ? `${work}, Temporal on PostgreSQL` : work,
    `${figure(ours)} ${unit}`,
    floor === undefined ? '' : `${figure(floor)} ${unit}`,
    floor === undefined ? '' : figure(compared),
    target ? `${target.must === 'be at most' ? '<=' : '>='} ${target.value}` : '',
    target ? outcome(compared, target) : '',
  ]);
}

function outcome(compared: number, { must, value }: Target): string {
  if (Number.isNaN(compared)) return 'not known';
  return (must === 'be at most' ? compared <= value : compared >= value) ? 'met' : 'MISSED';
}

/** Three digits that count. */
function figure(value: number): string {
  if (Number.isNaN(value)) return '-';
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
