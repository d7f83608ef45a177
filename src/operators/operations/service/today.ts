/** `today`: how the service does, at a glance. */
import type { MarginRow } from '../../../data/orders/margin-report';
import { readSupplierStates, type SupplierState } from '../../../data/suppliers/supplier-overview';
import {
  countAttention,
  countOpenByFamily,
  periodOfDay,
  listDeliveryTimes,
  readResults,
  TIMED_DELIVERIES,
  type AttentionCounts,
  type DeliveryTime,
  type EndedOrders,
} from '../../../data/attention/today';
import { familyIds } from '../../../domain/orders/families';
import { environmentsOf } from '../../../settings/supplier-environments';
import { inTerminal, option } from '../arguments';
import { startOfDay } from '../time-kinds';
import { everyRole, operation } from '../operation';
import { configuredNames } from '../supplier-named';
import { supplierRow } from '../suppliers/suppliers';
import { plural, table, wrapped } from '../text';
import { seesCosts } from '../visible-costs';

/** The sales and credits of one wallet currency. Cost and margin are null if the role does not see them, or if no cost is known. */
interface Sales {
  currency: string;
  sold: string;
  refunded: string;
  redeemed: string;
  /** Null if the role does not see costs. */
  supplier_credits: string | null;
  cost: string | null;
  margin: string | null;
  margin_percent: string | null;
  orders_with_unknown_cost: number | null;
}

export const today = operation({
  name: 'today',
  button: 'Show',
  about:
    'Orders, share delivered, times, costs and margins since midnight (UTC) or of another day, the attention list, and suppliers',
  roles: everyRole,
  effect: 'reads',
  arguments: { day: inTerminal(option(startOfDay, 'another day (UTC)'), 'another day (UTC), such as 2026-11-26') },
  async run({ database, config, role }, { day }) {
    const period = await periodOfDay(database, day);
    const seesMargins = seesCosts({ role });
    const salesOf = salesBy(seesMargins);
    const { ended, spend, ofFamilies, ofSuppliers } = await readResults(database, period);
    const times = await listDeliveryTimes(database, period);
    const open = await countOpenByFamily(database);
    const states = await readSupplierStates(database, configuredNames(config));
    const environments = environmentsOf(config);
    return {
      since: period.from,
      at: period.to,
      families: familyIds.map((family) => ({
        family,
        open: open.find((one) => one.family === family)?.open ?? 0,
        ...resultsOf(ended, times, (one) => one.family === family),
        money: ofFamilies.filter((one) => one.family === family).map(salesOf),
      })),
      suppliers: states.map((state) => ({
        ...supplierRow(state, environments[state.supplier]),
        health: healthOf(state),
        balances: state.balances.map(balanceView),
        ...resultsOf(ended, times, (one) => one.supplier === state.supplier),
        spend: spend
          .filter(({ supplier }) => seesMargins && supplier === state.supplier)
          .map(({ currency, amount }) => ({ currency, amount })),
        money: ofSuppliers.filter(({ supplier }) => supplier === state.supplier).map(salesOf),
      })),
      attention: attentionOf(await countAttention(database)),
      hidden: hiddenFrom(seesMargins, deliveredOf(ended)),
    };
  },
  text({ since, at, families, suppliers, attention, hidden }, { columns, tableColumns }, { day }) {
    const period = day ? `From ${since} to ${at}` : `Since ${since}`;
    return [
      `${period}: ${plural(attention.entries, 'entry needs', 'entries need')} a person, ${attention.taken} of them are taken.`,
      ...hidden,
    ]
      .map((line) => wrapped(line, columns))
      .concat(table(families.map(shownFamily), tableColumns), table(suppliers.map(shownSupplier), tableColumns))
      .join('\n');
  },
});

/** The columns that fit a line. The JSON has all. */
function shownFamily({ money, ...family }: { money: readonly Sales[] }) {
  return { ...family, sold: money.map(({ currency, sold }) => `${sold} ${currency}`) };
}

function shownSupplier(supplier: {
  supplier: string;
  health: string;
  orders: number;
  delivered_percent: number | null;
}) {
  const { supplier: name, health, orders, delivered_percent: delivered } = supplier;
  return { supplier: name, health, orders, delivered_percent: delivered };
}

function balanceView({ currency, amount, readAt, daysLeft, isLow }: SupplierState['balances'][number]) {
  return { currency, amount, read_at: readAt, days_left: daysLeft, is_low: isLow };
}

/** What the figures do not show. */
function hiddenFrom(seesMargins: boolean, delivered: number): string[] {
  return [
    ...(seesMargins ? [] : ['Your role does not see costs and margins.']),
    ...(delivered > TIMED_DELIVERIES
      ? [`The median times are those of the newest ${TIMED_DELIVERIES} delivered orders.`]
      : []),
  ];
}

type Dimension = Pick<EndedOrders, 'family' | 'supplier'>;

function resultsOf(
  counts: readonly EndedOrders[],
  times: readonly DeliveryTime[],
  isOf: (dimension: Dimension) => boolean,
) {
  const { ended: orders = 0, delivered = 0, failed = 0, cancelled = 0 } = counts.find(isOf) ?? {};
  const share = delivered + failed === 0 ? null : (100 * delivered) / (delivered + failed);
  return {
    orders,
    delivered,
    failed,
    cancelled,
    delivered_percent: share === null ? null : Math.floor(share * 10) / 10,
    median_seconds: times.find(isOf)?.medianSeconds ?? null,
  };
}

function deliveredOf(counts: readonly EndedOrders[]): number {
  return counts.reduce((sum, { family, delivered }) => sum + (family === null ? 0 : delivered), 0);
}

function salesBy(seesMargins: boolean) {
  return (row: MarginRow): Sales => {
    const { currency, sold, refunded, redeemed, orders_with_unknown_cost: unknown } = row;
    const isKnown = unknown === 0 || row.sold_at_unknown_cost !== sold || Number(row.cost) !== 0;
    const isShown = seesMargins && isKnown;
    return {
      currency,
      sold,
      refunded,
      redeemed,
      supplier_credits: seesMargins ? row.supplier_credits : null,
      cost: isShown ? row.cost : null,
      margin: isShown ? row.margin : null,
      margin_percent: isShown ? row.margin_percent : null,
      orders_with_unknown_cost: seesMargins ? unknown : null,
    };
  };
}

/** The worst that the supplier's state says. */
function healthOf({ blocked, failingCalls, circuits, pauses }: SupplierState) {
  if (blocked) return 'blocked';
  if (failingCalls.length > 0 || circuits.length > 0) return 'failing';
  return pauses.length > 0 ? 'paused' : 'ok';
}

function attentionOf(counts: readonly AttentionCounts[]) {
  const oldest = counts.map(({ oldestSince }) => oldestSince.getTime());
  return {
    entries: counts.reduce((sum, { entries }) => sum + entries, 0),
    taken: counts.reduce((sum, { taken }) => sum + taken, 0),
    oldest_since: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
    by_kind: counts.map(({ kind, entries }) => ({ kind, entries })),
  };
}
