/** Measures times and computes statistics. */
import { treesCpuMs } from './cpu';
import { namesOf, recordOf } from '../../src/domain/records';

/** The median of the values. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The quantile of the values for a share from 0 to 1. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The duration of the work, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The time of each run, in sequence. */
export async function latencies(work: () => Promise<unknown>, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await timed(work));
  return times;
}

/** Runs a second, when each of these clients runs the work this many times in sequence. */
export async function throughput(work: () => Promise<unknown>, clients: number, runs: number): Promise<number> {
  const all = () => Promise.all(Array.from({ length: clients }, () => latencies(work, runs)));
  return (clients * runs * 1_000) / (await timed(all));
}

/** The time of each run of these clients. No run starts after `isOver`. */
async function timesUntil(isOver: () => boolean, clients: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const client = async () => {
    while (!isOver()) times.push(await timed(work));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

/** The time of each run of these clients for this many seconds, and the runs a second. */
export async function timesFor(
  seconds: number,
  clients: number,
  work: () => Promise<unknown>,
): Promise<{ times: number[]; rate: number }> {
  const began = performance.now();
  const times = await timesUntil(() => performance.now() - began > seconds * 1_000, clients, work);
  return { times, rate: (times.length * 1_000) / (performance.now() - began) };
}

/** The time of each call of these clients, one after another, until the work is over. */
export async function timesDuring(
  work: () => Promise<unknown>,
  clients: number,
  call: () => Promise<unknown>,
): Promise<number[]> {
  let isOver = false;
  const [times] = await Promise.all([timesUntil(() => isOver, clients, call), work().finally(() => (isOver = true))]);
  return times;
}

/** One kind of work to measure, and its processes. */
export interface Rival {
  run: () => Promise<unknown>;
  pids: readonly number[];
}

export interface Turn {
  /** Milliseconds, the median. */
  latency: number;
  /** Runs a second. */
  rate: number;
  /** Milliseconds of CPU of a run over all its processes; NaN if the system does not report it. */
  cpu: number;
}

/** This many clients run the work for this many seconds. */
export async function takeTurn({ run, pids }: Rival, clients: number, seconds: number): Promise<Turn> {
  const cpuBefore = treesCpuMs(pids);
  const { times, rate } = await timesFor(seconds, clients, run);
  const cpu = (treesCpuMs(pids) - cpuBefore) / times.length;
  return { latency: median(times), rate, cpu };
}

/**
 * Measures the kinds of work in turns, so that all run under the same conditions: one uncounted round, then this many
 * rounds. Returns the median of each value.
 */
export async function byTurns<Name extends string, Figures extends { [Key in keyof Figures]: number }>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<Figures>>>,
): Promise<Record<Name, Figures>> {
  const names = namesOf(measures);
  const taken = new Map<Name, Figures[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const figures = await measures[name]();
      if (round > 0) taken.get(name)?.push(figures);
    }
  }
  return recordOf(names, (name) => medians(taken.get(name) ?? []));
}

function medians<Figures extends { [Key in keyof Figures]: number }>(all: readonly Figures[]): Figures {
  const keys = Object.keys(all[0] ?? {}) as (keyof Figures)[];
  return Object.fromEntries(keys.map((key) => [key, median(all.map((one) => one[key]))])) as Figures;
}
