/** Metrics from the database. If a scrape cannot read them within 2 s, it omits them and sets `..._up` to 0. */
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../data/database/database';
import { readStoredMetrics, type StoredMetrics } from '../data/maintenance/metrics';
import { attentionKinds } from '../domain/attention/attention-kinds';
import { familyIds } from '../domain/orders/families';
import { SingleFlight, timedOut, withTimeout } from '../async/promises';

const MAX_AGE_MS = 10_000;
const READ_TIMEOUT_MS = 2_000;

/** Registers the metrics. `database`: a separate pool, so that metrics neither wait for other work nor delay it. */
export function registerStoredMetrics(registry: Registry, database: Database) {
  const gauges = gaugesIn(registry);
  const up = new Gauge({
    name: 'digital_goods_database_figures_up',
    help: 'Whether the metrics of the database could be read; if 0, they are omitted.',
    registers: [registry],
  });
  let readAt = -Infinity;
  const reading = new SingleFlight<void>();
  const omit = () => {
    readAt = -Infinity;
    up.set(0);
    gauges.forEach((gauge) => gauge.clear());
  };
  const read = () =>
    readStoredMetrics(database).then(
      (metrics) => {
        readAt = performance.now();
        up.set(1);
        gauges.forEach((gauge) => gauge.show(metrics));
      },
      () => omit(),
    );
  return {
    async refresh() {
      if (performance.now() - readAt < MAX_AGE_MS) return;
      if ((await withTimeout(reading.run(read), READ_TIMEOUT_MS)) === timedOut) omit();
    },
  };
}

/** The amount of each kind of attention in each currency; 0 if nothing is at stake. */
function amountsAtStake({ atStake, ledger }: StoredMetrics): [Labels, number][] {
  const currencies = new Set([...ledger, ...atStake].map(({ currency }) => currency));
  const amountOf = (kind: string, currency: string) =>
    atStake.find((entry) => entry.kind === kind && entry.currency === currency)?.amount ?? 0;
  return attentionKinds.flatMap((kind) =>
    [...currencies].map((currency): [Labels, number] => [{ kind, currency }, amountOf(kind, currency)]),
  );
}

interface StoredGauge {
  show: (metrics: StoredMetrics) => void;
  clear: () => void;
}

type Labels = Record<string, string>;

/** Returns one value for each combination of labels. */
type ValuesOf = (metrics: StoredMetrics) => [labels: Labels, value: number][];
/** Registers a gauge. */
type MakeGauge = (name: string, help: string, labelNames: string[], valuesOf: ValuesOf) => StoredGauge;

function gaugesIn(registry: Registry): StoredGauge[] {
  const gauge: MakeGauge = (name, help, labelNames, valuesOf) => {
    const entry = new Gauge({ name: `digital_goods_${name}`, help, labelNames, registers: [registry] });
    const clear = () => {
      entry.reset();
      // Without labels, `reset` leaves a value of 0.
      if (labelNames.length === 0) entry.remove();
    };
    return {
      show(metrics) {
        clear();
        for (const [labels, value] of valuesOf(metrics)) entry.set(labels, value);
      },
      clear,
    };
  };
  return [...orderGauges(gauge), ...attentionGauges(gauge), ...supplierGauges(gauge), ...deliveryGauges(gauge)];
}

function orderGauges(gauge: MakeGauge): StoredGauge[] {
  return [
    gauge('orders', 'Orders by family and status.', ['family', 'status'], ({ orders }) =>
      orders.map(({ family, status, orders: value }) => [{ family, status }, value]),
    ),
    gauge('oldest_open_order_seconds', 'Age of the oldest order that has not ended.', ['family'], ({ open }) =>
      familyIds.map((family) => [{ family }, open.find((entry) => entry.family === family)?.oldest ?? 0]),
    ),
    gauge('ledger_amount', 'Sum of the entries of the ledger.', ['kind', 'type', 'currency'], ({ ledger }) =>
      ledger.map(({ kind, type, currency, amount }) => [{ kind, type, currency }, amount]),
    ),
    gauge('ledger_entries', 'Entries of the ledger.', ['kind', 'type', 'currency'], ({ ledger }) =>
      ledger.map(({ kind, type, currency, entries }) => [{ kind, type, currency }, entries]),
    ),
  ];
}

function attentionGauges(gauge: MakeGauge): StoredGauge[] {
  return [
    gauge('attention', 'Entries of the attention list by kind.', ['kind'], ({ attention }) =>
      attentionKinds.map((kind) => [{ kind }, attention.find((entry) => entry.kind === kind)?.standing ?? 0]),
    ),
    gauge('attention_oldest_seconds', 'Age of the oldest entry of the attention list.', ['kind'], ({ attention }) =>
      attentionKinds.map((kind) => [{ kind }, attention.find((entry) => entry.kind === kind)?.oldest ?? 0]),
    ),
    gauge(
      'attention_amount',
      'Debited amount of the orders on the attention list.',
      ['kind', 'currency'],
      amountsAtStake,
    ),
    gauge(
      'maintenance_overdue_seconds',
      'How long a maintenance task has been due without a success.',
      ['task'],
      ({ maintenance }) => maintenance.map(({ task, overdue }) => [{ task }, overdue]),
    ),
    gauge('sign_in_events', 'Events of the sign-in, by door.', ['door', 'event'], ({ signInEvents }) =>
      signInEvents.map(({ door, event, total }) => [{ door, event }, total]),
    ),
    gauge('ledger_findings', 'Findings of the newest verification of the ledger.', [], ({ verification }) =>
      verification.map(({ findings }) => [{}, findings]),
    ),
  ];
}

function supplierGauges(gauge: MakeGauge): StoredGauge[] {
  return [
    gauge(
      'supplier_failing_seconds',
      'How long calls of a supplier have failed, of the kind that has failed longest.',
      ['supplier'],
      ({ calls }) =>
        [...new Set(calls.map(({ supplier }) => supplier))].map((supplier) => [
          { supplier },
          Math.max(...calls.filter((entry) => entry.supplier === supplier).map(({ failing }) => failing)),
        ]),
    ),
    gauge(
      'supplier_call_failing_seconds',
      'How long calls of a kind have failed, from the first failure in a row to the last.',
      ['supplier', 'family', 'call'],
      ({ calls }) => calls.map(({ supplier, family, call, failing }) => [{ supplier, family, call }, failing]),
    ),
    gauge(
      'oldest_unsent_purchase_seconds',
      'How long the oldest purchase that is due has not been sent.',
      ['family'],
      ({ unsent }) =>
        familyIds.map((family) => [{ family }, unsent.find((entry) => entry.family === family)?.oldest ?? 0]),
    ),
    gauge('supplier_blocked_seconds', 'How long the supplier has blocked our account.', ['supplier'], ({ suppliers }) =>
      suppliers.map(({ supplier, blocked }) => [{ supplier }, blocked]),
    ),
    gauge('supplier_balance', 'Balance of our account at the supplier.', ['supplier', 'currency'], ({ balances }) =>
      balances.map(({ supplier, currency, amount }) => [{ supplier, currency }, amount]),
    ),
    gauge(
      'supplier_balance_days_left',
      'How many days the balance lasts, at our costs of the last days.',
      ['supplier', 'currency'],
      ({ daysLeft }) => daysLeft.map(({ supplier, currency, days }) => [{ supplier, currency }, days]),
    ),
    gauge(
      'supplier_circuit_open_seconds',
      'How long the circuit of the supplier has been open.',
      ['supplier', 'family'],
      ({ circuits }) => circuits.map(({ supplier, family, open }) => [{ supplier, family }, open]),
    ),
    gauge(
      'supplier_paused_seconds',
      'How long an operator has paused the supplier.',
      ['supplier', 'family'],
      ({ pauses }) => pauses.map(({ supplier, family, paused }) => [{ supplier, family }, paused]),
    ),
    gauge('stopped_sales', 'What operators have stopped selling.', ['scope'], ({ stops }) =>
      stops.map(({ scope, stops: number }) => [{ scope }, number]),
    ),
    gauge('stopped_sales_oldest_seconds', 'How long operators have stopped the oldest of it.', ['scope'], ({ stops }) =>
      stops.map(({ scope, oldest }) => [{ scope }, oldest]),
    ),
    gauge(
      'supplier_failovers',
      'Purchases that another supplier replaced, of orders that ended in the last hour.',
      ['supplier'],
      ({ failovers }) => failovers.map(({ supplier, replaced }) => [{ supplier }, replaced]),
    ),
  ];
}

function deliveryGauges(gauge: MakeGauge): StoredGauge[] {
  return [
    gauge('webhook_backlog', 'Events that are due to endpoints that work or fail.', [], ({ backlog }) =>
      backlog.map(({ webhooks }) => [{}, webhooks]),
    ),
    gauge(
      'webhook_oldest_due_seconds',
      'How long the oldest event has been due to an endpoint that works.',
      [],
      ({ backlog }) => backlog.map(({ oldestWebhook }) => [{}, oldestWebhook]),
    ),
    gauge('webhook_failing_endpoints', 'Enabled endpoints that fail.', [], ({ backlog }) =>
      backlog.map(({ failingEndpoints }) => [{}, failingEndpoints]),
    ),
    gauge('mail_backlog', 'Mails about orders that are not sent yet.', [], ({ backlog }) =>
      backlog.map(({ mails }) => [{}, mails]),
    ),
    gauge(
      'mail_oldest_due_seconds',
      'How long the oldest mail has been due, about an order or a disabled endpoint.',
      [],
      ({ mail }) => mail.map(({ oldest }) => [{}, oldest]),
    ),
    gauge(
      'wal_archive_lag_seconds',
      'Time since PostgreSQL archived its last WAL file, while a finished one waits.',
      [],
      ({ archive }) => archive.map(({ lag }) => [{}, lag]),
    ),
    gauge('base_backup_age_seconds', 'Time since PostgreSQL finished its last base backup.', [], ({ backup }) =>
      backup.map(({ age }) => [{}, age]),
    ),
    gauge('sequence_used_ratio', 'Share of the numbers of a sequence that are used.', ['sequence'], ({ sequences }) =>
      sequences.map(({ sequence, used }) => [{ sequence }, used]),
    ),
  ];
}
