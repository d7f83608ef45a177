/** `reports`: figures of sales for operators, and how a day went. */
import { marginColumns, marginDimensions, reportMargins } from '../../../data/orders/margin-report';
import { reportSales, salesColumns, salesIntervals } from '../../../data/orders/sales-report';
import { periodOfDay, type DayPeriod } from '../../../data/attention/today';
import type { Database } from '../../../data/database/database';
import { countByHourAndClient, countBySupplier, timeDeliveries } from '../../../data/orders/day-report';
import { marginReaders } from '../../../domain/operators/roles';
import { namesOf } from '../../../domain/records';
import { inTerminal, option, optionOr, requiredOption } from '../arguments';
import { clientIdNamed } from '../client-named';
import { choices, client, family, nameText, oneOf } from '../kinds';
import { month, startOfDay, dayOrAge } from '../time-kinds';
import { everyRole, operation } from '../operation';
import { table } from '../text';
import { seesCosts } from '../visible-costs';
import { kindsOf } from '../../../domain/row-columns';

const margin = operation({
  name: 'reports margin',
  button: 'Show the margin',
  about:
    'What the orders that ended in a month sold, cost and left, losses first, and the refunds, redemptions and supplier credits of the month; sold less refunded and redeemed is their sum in the ledger',
  roles: marginReaders,
  effect: 'reads',
  isLong: true,
  arguments: {
    month: inTerminal(requiredOption(month, 'in UTC'), 'in UTC, such as 2026-11'),
    by: inTerminal(
      option(oneOf('dimension', marginDimensions), 'one row for each'),
      `one row for each ${choices(marginDimensions)}`,
    ),
  },
  columns: {
    client: 'text',
    product: 'text',
    supplier: 'text',
    family: 'text',
    day: 'text',
    ...kindsOf(marginColumns),
  },
  run: ({ database }, { month: start, by }) => reportMargins(database, start, by),
});

const sales = operation({
  name: 'reports sales',
  button: 'Show the sales',
  about:
    'What the orders that ended in a period sold, cost and left, and its refunds, redemptions and supplier credits, by day or month (UTC), family and wallet currency; sold less refunded and redeemed is their sum in the ledger',
  roles: marginReaders,
  effect: 'reads',
  arguments: {
    from: inTerminal(
      requiredOption(dayOrAge, 'the first day of the period (UTC)'),
      'the start of the period, such as 2026-11-01 or 90d',
    ),
    to: option(dayOrAge, 'the end of the period (UTC), exclusive; default: now'),
    by: inTerminal(
      optionOr(oneOf('interval', salesIntervals), 'day', 'one row for each'),
      `one row for each ${choices(salesIntervals)}`,
    ),
    family: option(family, 'only this family: vouchers, topups or esim'),
    client: option(client, 'only this client: id, name or API key'),
  },
  columns: kindsOf(salesColumns),
  async run({ database }, { from, to = new Date(), client: named, ...filter }) {
    const clientId = await clientIdNamed(database, named);
    return reportSales(database, { from, to, clientId, ...filter });
  },
});

const WEEK_MS = 7 * 86_400_000;

const dayReport = operation({
  name: 'reports day',
  button: 'Show the day',
  about:
    'A day (UTC) by hour, by client and by supplier: orders, failures, spend and times of delivery, each beside the same hours a week before',
  roles: everyRole,
  effect: 'reads',
  arguments: { day: inTerminal(option(startOfDay, 'in UTC; default: today'), 'such as 2026-11-26; default: today') },
  async run({ database }, { day }) {
    const period = await periodOfDay(database, day);
    const before = { from: new Date(period.from.getTime() - WEEK_MS), to: new Date(period.to.getTime() - WEEK_MS) };
    return {
      from: period.from,
      to: period.to,
      now: await countsOf(database, period),
      week_before: await countsOf(database, before),
    };
  },
  text: ({ now, week_before: before }, { tableColumns }) =>
    table(
      now.hours.map(({ hour, orders, failed }, index) => ({
        hour,
        orders,
        failed,
        orders_a_week_before: before.hours[index]?.orders ?? 0,
        failed_a_week_before: before.hours[index]?.failed ?? 0,
      })),
      tableColumns,
    ),
});

const HOUR_MS = 3_600_000;

/** The hours of the period, also those without an order; the clients with orders; and the suppliers with deliveries. */
async function countsOf(database: Database, period: DayPeriod) {
  const counted = await countByHourAndClient(database, period);
  const times = await timeDeliveries(database, period, { step: 'hour' });
  const length = Math.ceil((period.to.getTime() - period.from.getTime()) / HOUR_MS);
  const hours = Array.from({ length }, (_, index) => {
    const hour = new Date(period.from.getTime() + index * HOUR_MS);
    const found = counted.find((row) => row.hour?.getTime() === hour.getTime());
    return { hour, orders: found?.orders ?? 0, failed: found?.failed ?? 0 };
  });
  return {
    hours,
    clients: counted
      .filter(({ hour }) => hour === null)
      .map(({ client_id, client, currency, orders, spent }) => ({ client_id, client, currency, orders, spent })),
    suppliers: times
      .filter(({ at }) => at === null)
      .map(({ supplier, p50, p95 }) => ({
        supplier,
        p50,
        p95,
        hours: times
          .filter((each) => each.supplier === supplier && each.at !== null)
          .map((each) => ({ hour: each.at, p50: each.p50, p95: each.p95 })),
      })),
  };
}

const spans = { day: { step: 'hour', hours: 24 }, month: { step: 'day', hours: 30 * 24 } } as const;

const supplierReport = operation({
  name: 'reports suppliers',
  button: 'Show the suppliers',
  about:
    'How suppliers deliver, by hour of the last day or by day of the last 30 days (UTC): results, times, and the cost in percent of the face value',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    over: optionOr(oneOf('span', namesOf(spans)), 'day', 'the period: day or month'),
    supplier: option(nameText, 'only this supplier'),
  },
  columns: {
    supplier: 'text',
    at: 'time',
    delivered: 'number',
    failed: 'number',
    p50: 'number',
    p95: 'number',
    cost_percent: 'number',
  },
  async run({ database, role }, { over, supplier }) {
    const { step, hours } = spans[over];
    const { to } = await periodOfDay(database, undefined);
    const from = new Date(to.getTime() - hours * HOUR_MS);
    from.setUTCMinutes(0, 0, 0);
    if (step === 'day') from.setUTCHours(0);
    const period = { from, to };
    const results = await countBySupplier(database, period, { step, supplier });
    const times = await timeDeliveries(database, period, { step, supplier });
    const isCostSeen = seesCosts({ role });
    return results.map(({ supplier: name, at, delivered, failed }) => {
      const timed = times.find((row) => row.supplier === name && row.at?.getTime() === at.getTime());
      return {
        supplier: name,
        at,
        delivered,
        failed,
        p50: timed?.p50 ?? null,
        p95: timed?.p95 ?? null,
        cost_percent: isCostSeen ? (timed?.cost_percent ?? null) : null,
      };
    });
  },
});

export const reportOperations = [margin, sales, dayReport, supplierReport];
