/** What the database tells, read when it is asked for: never more often than makes sense, never waited for. */
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../data/database';
import { readFigures, type StoredFigures } from '../data/figures';
import { familyIds } from '../domain/families';
import { timedOut, withTimeout } from '../domain/with-timeout';

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
    readFigures(database).then(
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

interface Shown {
  show: (figures: StoredFigures) => void;
  clear: () => void;
}

type Labels = Record<string, string>;

/** Every figure: its name, what it says, its labels, and its values among what was read. */
function gaugesIn(registry: Registry): Shown[] {
  function gauge(
    name: string,
    help: string,
    labelNames: string[],
    valuesOf: (figures: StoredFigures) => [labels: Labels, value: number][],
  ): Shown {
    const one = new Gauge({ name: `digital_goods_${name}`, help, labelNames, registers: [registry] });
    return {
      show(figures) {
        one.reset();
        for (const [labels, value] of valuesOf(figures)) one.set(labels, value);
      },
      clear: () => one.reset(),
    };
  }
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
    gauge('attention', 'What needs a person, by why.', ['kind'], ({ attention }) =>
      attention.map(({ kind, standing }) => [{ kind }, standing]),
    ),
    gauge('attention_oldest_seconds', 'How long the oldest of it has stood.', ['kind'], ({ attention }) =>
      attention.map(({ kind, oldest }) => [{ kind }, oldest]),
    ),
    gauge('attention_amount', 'What was debited for it.', ['kind', 'currency'], ({ atStake }) =>
      atStake.map(({ kind, currency, amount }) => [{ kind, currency }, amount]),
    ),
    gauge(
      'supplier_failing_seconds',
      'How long a supplier has not answered.',
      ['supplier'],
      ({ suppliers }) => suppliers.map(({ supplier, failing }) => [{ supplier }, failing]),
    ),
    gauge('supplier_blocked_seconds', 'How long our account is refused.', ['supplier'], ({ suppliers }) =>
      suppliers.map(({ supplier, blocked }) => [{ supplier }, blocked]),
    ),
    gauge('supplier_balance', 'What is left of our money there.', ['supplier', 'currency'], ({ suppliers }) =>
      suppliers.flatMap(({ supplier, balance, currency }): [Labels, number][] =>
        balance === null || currency === null ? [] : [[{ supplier, currency }, balance]],
      ),
    ),
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
  ];
}
