/** The results: their table, and the file that stores them. */
import { cpus } from 'node:os';
import { RunDirectory } from '../stack/run-directory';

/** The target of a figure. */
export interface Target {
  must: 'be at most' | 'be at least';
  value: number;
}

/** One line of the table. */
export interface Line {
  /** The name of the measurement: `voucher order, one client: latency`. */
  work: string;
  unit: string;
  ours: number;
  /** The value to compare with; missing if the target is for the figure itself. */
  floor?: number;
  /** The ratio of service and floor in the target's direction; the service's value without a floor. */
  compared: number;
  /** Missing if the line has no target. */
  target?: Target;
}

/** All lines of a measured part. */
export interface PartReport {
  part: string;
  /** Temporal's storage. */
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

/** A line that compares the service's value with its floor as a multiple. */
export function timesFloor(work: string, unit: string, ours: number, floor: number, target?: Target): Line {
  return { work, unit, ours, floor, compared: ours / floor, ...(target && { target }) };
}

/** A line that compares the floor with the service's value as a share. */
export function floorShare(work: string, unit: string, ours: number, floor: number, target: Target): Line {
  return { work, unit, ours, floor, compared: floor / ours, target };
}

/** A line without a floor. */
export function alone(work: string, unit: string, ours: number, target?: Target): Line {
  return { work, unit, ours, compared: ours, ...(target && { target }) };
}

/** Stores the results of a part in `.run/bench.json`, in place of its earlier results, and returns them. */
export function keep(part: string, persistence: Persistence, lines: Line[]): PartReport {
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
  const report = { part, persistence, measuredAt: new Date().toISOString(), machine, lines };
  const others = kept().filter((other) => other.part !== part || other.persistence !== persistence);
  new RunDirectory('.run').writeJson(FILE, { parts: [...others, report] });
  return report;
}

/** All stored results, in the order of their measurement. */
export function kept(): PartReport[] {
  return new RunDirectory('.run').readJson<{ parts: PartReport[] }>(FILE)?.parts ?? [];
}

const headings = ['', 'service', 'floor', 'compared', 'must be', ''] as const;

/** The lines as a table of text. */
export function table(reports: readonly PartReport[]): string {
  const cells = [headings, ...reports.flatMap(rowsOf)];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
    )
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
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

/** Formats a number with three significant digits. */
function figure(value: number): string {
  if (Number.isNaN(value)) return '-';
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
