/** What the database tells, read when it is asked for: never more often than makes sense, never waited for. */
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../data/database/database';
import { readStoredMetrics, type StoredMetrics } from '../data/operations/metrics';
import { attentionKinds } from '../domain/operations/attention-kinds';
import { familyIds } from '../domain/orders/families';
import { timedOut, withTimeout } from '../async/promises';

/** What was read stays good for so long, in milliseconds. */
const GOOD_FOR_MS = 10_000;
/** How long a scrape waits for what is being read; then it goes without. */
const PATIENCE_MS = 2_000;

/** Figures of the database in a registry. */
export interface StoredFiguresReader {
  /** Brings them up to date. Where PostgreSQL does not answer soon they are left out, and `..._up` says so. */
  refresh: () => Promise<void>;
}

/** Registers the figures. `database`: connections of its own, so that figures neither wait for others nor delay them. */
export function registerStoredFigures(registry: Registry, database: Database): StoredFiguresReader {
  const gauges = gaugesIn(registry);
  const up = new Gauge({
    name: 'digital_goods_database_figures_up',
    help: 'Whether the figures of the database could be read; 0 leaves them out.',
    registers: [registry],
  });
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  const forget = () => {
    readAt = -Infinity;
    up.set(0);
    gauges.forEach((gauge) => gauge.clear());
  };
  const read = () =>
    readStoredMetrics(database).then(
      (figures) => {
        readAt = performance.now();
        up.set(1);
        gauges.forEach((gauge) => gauge.show(figures));
      },
      () => forget(),
    );
  return {
    async refresh() {
      if (performance.now() - readAt < GOOD_FOR_MS) return;
      reading ??= read().finally(() => (reading = undefined));
      if ((await withTimeout(reading, PATIENCE_MS)) === timedOut) forget();
    },
  };
}

/** An amount for each kind and each currency that the ledger has: 0 where nothing is at stake. */
function amountsAtStake({ atStake, ledger }: StoredMetrics): [Labels, number][] {
  const currencies = new Set([...ledger, ...atStake].map(({ currency }) => currency));
  const amountOf = (kind: string, currency: string) =>
    atStake.find((one) => one.kind === kind && one.currency === currency)?.amount ?? 0;
  return attentionKinds.flatMap((kind) =>
    [...currencies].map((currency): [Labels, number] => [{ kind, currency }, amountOf(kind, currency)]),
  );
}

interface Shown {
  show: (figures: StoredMetrics) => void;
  clear: () => void;
}

type Labels = Record<string, string>;

type ValuesOf = (figures: StoredMetrics) => [labels: Labels, value: number][];
/** Registers a figure: its name, what it says, its labels, and its values among what was read. */
type MakeGauge = (name: string, help: string, labelNames: string[], valuesOf: ValuesOf) => Shown;

/** Every figure. */
function gaugesIn(registry: Registry): Shown[] {
  const gauge: MakeGauge = (name, help, labelNames, valuesOf) => {
    const one = new Gauge({ name: `digital_goods_${name}`, help, labelNames, registers: [registry] });
    return {
      show(figures) {
        one.reset();
        for (const [labels, value] of valuesOf(figures)) one.set(labels, value);
      },
      clear: () => one.reset(),
    };
  };
  return [...ofOrders(gauge), ...ofAttention(gauge), ...ofSuppliers(gauge), ...ofWhatIsSent(gauge)];
}

function ofOrders(gauge: MakeGauge): Shown[] {
  return [
    gauge('orders', 'Orders there are, by family and status.', ['family', 'status'], ({ orders }) =>
      orders.map(({ family, status, orders: value }) => [{ family, status }, value]),
    ),
    gauge(
      'oldest_open_order_seconds',
      'Age of the oldest order that has not ended.',
      ['family'],
      ({ open }) =>
        familyIds.map((family) => [{ family }, open.find((one) => one.family === family)?.oldest ?? 0]),
    ),
    gauge(
      'ledger_amount',
      'What entries of the ledger come to.',
      ['kind', 'type', 'currency'],
      ({ ledger }) => ledger.map(({ kind, type, currency, amount }) => [{ kind, type, currency }, amount]),
    ),
    gauge('ledger_entries', 'Entries of the ledger.', ['kind', 'type', 'currency'], ({ ledger }) =>
      ledger.map(({ kind, type, currency, entries }) => [{ kind, type, currency }, entries]),
    ),
  ];
}

function ofAttention(gauge: MakeGauge): Shown[] {
  return [
    gauge('attention', 'What needs a person, by why.', ['kind'], ({ attention }) =>
      attentionKinds.map((kind) => [{ kind }, attention.find((one) => one.kind === kind)?.standing ?? 0]),
    ),
    gauge('attention_oldest_seconds', 'How long the oldest of it has stood.', ['kind'], ({ attention }) =>
      attentionKinds.map((kind) => [{ kind }, attention.find((one) => one.kind === kind)?.oldest ?? 0]),
    ),
    gauge('attention_amount', 'What was debited for it.', ['kind', 'currency'], amountsAtStake),
    gauge(
      'maintenance_overdue_seconds',
      'How long a maintenance task has been due without a success.',
      ['task'],
      ({ maintenance }) => maintenance.map(({ task, overdue }) => [{ task }, overdue]),
    ),
    gauge('ledger_findings', 'Findings of the newest verification of the ledger.', [], ({ verification }) =>
      verification.map(({ findings }) => [{}, findings]),
    ),
  ];
}

function ofSuppliers(gauge: MakeGauge): Shown[] {
  return [
    gauge(
      'supplier_failing_seconds',
      'How long calls of a supplier have failed, of the kind that has failed longest.',
      ['supplier'],
      ({ calls }) =>
        [...new Set(calls.map(({ supplier }) => supplier))].map((supplier) => [
          { supplier },
          Math.max(...calls.filter((one) => one.supplier === supplier).map(({ failing }) => failing)),
        ]),
    ),
    gauge(
      'supplier_call_failing_seconds',
      'How long calls of a kind have failed, from the first failure in a row to the last.',
      ['supplier', 'family', 'call'],
      ({ calls }) =>
        calls.map(({ supplier, family, call, failing }) => [{ supplier, family, call }, failing]),
    ),
    gauge(
      'oldest_unsent_purchase_seconds',
      'How long the oldest purchase that is due has not been sent.',
      ['family'],
      ({ unsent }) =>
        familyIds.map((family) => [{ family }, unsent.find((one) => one.family === family)?.oldest ?? 0]),
    ),
    gauge('supplier_blocked_seconds', 'How long our account is refused.', ['supplier'], ({ suppliers }) =>
      suppliers.map(({ supplier, blocked }) => [{ supplier }, blocked]),
    ),
    gauge('supplier_balance', 'What is left of our money there.', ['supplier', 'currency'], ({ suppliers }) =>
      suppliers.flatMap(({ supplier, balance, currency }): [Labels, number][] =>
        balance === null || currency === null ? [] : [[{ supplier, currency }, balance]],
      ),
    ),
  ];
}

function ofWhatIsSent(gauge: MakeGauge): Shown[] {
  return [
    gauge('webhook_backlog', 'Events that are due to endpoints that work or fail.', [], ({ backlog }) =>
      backlog.map(({ webhooks }) => [{}, webhooks]),
    ),
    gauge('webhook_oldest_due_seconds', 'Age of the oldest event that is due.', [], ({ backlog }) =>
      backlog.map(({ oldestWebhook }) => [{}, oldestWebhook]),
    ),
    gauge('webhook_failing_endpoints', 'Enabled endpoints that fail.', [], ({ backlog }) =>
      backlog.map(({ failingEndpoints }) => [{}, failingEndpoints]),
    ),
    gauge('mail_backlog', 'Mails about orders that are not sent yet.', [], ({ backlog }) =>
      backlog.map(({ mails }) => [{}, mails]),
    ),
    gauge(
      'sequence_used_ratio',
      'Share of the numbers of a sequence that are given out.',
      ['sequence'],
      ({ sequences }) => sequences.map(({ sequence, used }) => [{ sequence }, used]),
    ),
  ];
}
