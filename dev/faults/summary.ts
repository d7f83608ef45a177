/** The summary of a run and, if a guarantee was broken, the details for its analysis. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/run-directory';
import { type Facts, type OrderFact } from './guarantees/facts';
import { hasEnded } from './guarantees/gather';
import type { RunResult } from './run';

/** How many broken guarantees are printed. The report holds all. */
const PRINTED = 10;

/** The command that repeats the run. */
export function commandFor({ plan }: Pick<RunResult, 'plan'>): string {
  const { seed, seconds, dedup, suppliers, sources, down, busy } = plan;
  const words = [
    `npm run test:faults -- --seed ${seed} --seconds ${seconds} --dedup ${dedup ? 'on' : 'off'}`,
    ...(suppliers ? ['--suppliers'] : []),
    ...(sources ? ['--sources'] : []),
    ...(down ? [`--down ${down}`] : []),
    ...(busy ? ['--busy'] : []),
  ];
  return words.join(' ');
}

/** The figures of a run. */
export function summaryOf({ plan, facts, counts }: RunResult): string {
  const { orders, attempts, mails } = facts;
  const answers = tally(attempts, ({ status, code }) =>
    status === undefined ? 'no answer' : `${status} ${code ?? ''}`.trim(),
  );
  const listed = orders.filter((order) => order.listed.length > 0);
  const events = orders.reduce((sum, order) => sum + order.events.length, 0);
  const repeated = facts.users.reduce((sum, { receiver }) => sum + receiver.repeated, 0);
  const lines = {
    Supplier: `${plan.dedup ? 'deduplicates' : 'buys again'}, at most ${plan.maxUnits} units a purchase`,
    'Order requests': asText(answers),
    Orders: `${orders.length}: ${asText(tally(orders, stateOf))}`,
    'Sold by': asText(unitsBySupplier(orders)),
    Units: `${sum(orders, ({ sold }) => sold)} sold, ${sum(orders, ({ readable }) => readable)} readable`,
    Descriptions: asText(descriptions(orders)),
    'On the list': asText(tally(listed, ({ listed: [first] }) => first?.kind ?? '')) || 'none',
    'After the sale': asText(afterSale(facts.afterSale)),
    Webhooks: `${events} events, ${repeated} came twice`,
    Mails: String(mails.length),
    Disturbances: asText([...counts].sort(([one], [other]) => one.localeCompare(other))),
  };
  return Object.entries(lines)
    .map(([name, text]) => `  ${name.padEnd(15)} ${text}`)
    .join('\n');
}

/** The broken guarantees, the command that repeats the run, and the files with more details. */
export function failureOf(result: RunResult): string {
  const { broken } = result;
  const lines = broken.slice(0, PRINTED).map(({ guarantee, detail }) => `  BROKEN: ${guarantee}\n          ${detail}`);
  if (broken.length > PRINTED) lines.push(`  ... and ${broken.length - PRINTED} more`);
  return [...lines, `  Repeat it:   ${commandFor(result)}`, `  Details:     ${writeReport(result)}`].join('\n');
}

/** Reports are kept. The next run deletes the state and the logs of the run's programs. */
const REPORTS = join(ROOT, '.run', 'fault-reports');

/** Writes the report of the run. Returns the path of the file. */
function writeReport({ plan, broken, log, reports, facts }: RunResult): string {
  const orders = facts.orders.map(({ events, ...order }) => ({
    ...order,
    codes: order.codes.length,
    claimed: order.claimed?.length,
    events: events.map(({ type }) => type),
  }));
  const report = { broken, plan, log: log.lines, reports, orders, attempts: facts.attempts };
  mkdirSync(REPORTS, { recursive: true });
  const file = join(REPORTS, `${plan.seed}.json`);
  writeFileSync(file, JSON.stringify(report, null, 2), { mode: 0o600 });
  return file;
}

function afterSale({ claims, refunds, replacements, proposals }: Facts['afterSale']): [string, number][] {
  return [
    ...tally(claims, ({ state, outcome }) => `claims ${outcome ?? state}`),
    ['refunds', refunds.length],
    ...tally(replacements, ({ status }) => `replacements ${status}`),
    ...tally(proposals, ({ state }) => `proposals ${state}`),
  ];
}

/** The effects of changed answers. */
function descriptions(orders: readonly OrderFact[]): [string, number][] {
  return [
    ['orders with changed ones', orders.filter(({ changes }) => changes.size > 0).length],
    ['units with no other', sum(orders, ({ misdescribed }) => misdescribed)],
    ['orders decided as unusable', orders.filter(({ isUnusable }) => isUnusable).length],
  ];
}

/** The sold units of each supplier. */
function unitsBySupplier(orders: readonly OrderFact[]): [string, number][] {
  const units = new Map<string, number>();
  for (const sale of orders.flatMap(({ sales }) => sales)) {
    units.set(sale.supplier, (units.get(sale.supplier) ?? 0) + sale.units);
  }
  return [...units];
}

function stateOf(order: OrderFact): string {
  return hasEnded(order) ? order.status : `${order.status} still`;
}

function tally<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function asText(counts: [string, number][]): string {
  return counts.map(([name, count]) => `${count} ${name}`).join(', ');
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
