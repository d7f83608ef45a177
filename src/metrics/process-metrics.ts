/** Metrics of a process: event loop lag, memory, clock offset, database pools, and the end of its certificate. */
import { X509Certificate } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
import { poolUse, type Database } from '../data/database/database';
import { readClock } from '../data/maintenance/metrics';
import { timedOut, withTimeout } from '../async/promises';
import { certificateTime } from '../domain/time';
import type { TemporalSettings } from '../settings/temporal-settings';

/** The interval of the lag checks. Shorter lags may be missed. The checks take 0.04 % of a core (at 20 ms: 0.16 %). */
const RESOLUTION_MS = 100;

const lagQuantiles = [0.5, 0.99, 1] as const;

/** The database pools by purpose. */
export type Pools = Readonly<Record<string, Database> & { main: Database }>;

export function registerProcessMetrics(registry: Registry, pools: Pools): void {
  registerLag(registry);
  registerClockOffset(registry, pools.main);
  new Gauge({
    name: 'digital_goods_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  registerPools(registry, pools);
}

/** Registers a metric of connections that the process can do without for a while. Each function tells whether one works. */
export function registerOptionalConnections(
  registry: Registry,
  connections: Readonly<Record<string, () => boolean>>,
): void {
  new Gauge({
    name: 'digital_goods_connection_up',
    help: 'Whether the connection works. The process works without it, but more slowly or less exactly.',
    labelNames: ['connection'],
    registers: [registry],
    collect() {
      for (const [connection, isUp] of Object.entries(connections)) this.set({ connection }, isUp() ? 1 : 0);
    },
  });
}

/**
 * Registers when the client certificate for Temporal expires. A process holds the certificate that its file had at its start, so the
 * metric also shows that a process has not been restarted since. Without a certificate, the metric has no value.
 */
export function registerClientCertificate(registry: Registry, { tls }: TemporalSettings): void {
  const gauge = new Gauge({
    name: 'digital_goods_certificate_expiry_timestamp_seconds',
    help: 'When the certificate that the process holds expires, in Unix time.',
    labelNames: ['certificate'],
    registers: [registry],
  });
  if (!tls?.clientCertPair) return;
  const { validTo } = new X509Certificate(tls.clientCertPair.crt);
  gauge.set({ certificate: 'temporal-client' }, certificateTime(validTo) / 1_000);
}

function registerLag(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  new Gauge({
    name: 'digital_goods_event_loop_lag_seconds',
    help: 'Event loop lag since the previous scrape.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of lagQuantiles) {
        // Node measures the whole time between two checks, in nanoseconds.
        const lagMs = delays.percentile(quantile * 100) / 1e6 - RESOLUTION_MS;
        this.set({ quantile: String(quantile) }, Math.max(0, lagMs) / 1_000 || 0);
      }
      delays.reset();
    },
  });
}

/** The result of a slower read would be too inexact. */
const CLOCK_TIMEOUT_MS = 2_000;

function registerClockOffset(registry: Registry, database: Database): void {
  new Gauge({
    name: 'digital_goods_database_clock_offset_seconds',
    help: 'How far the PostgreSQL clock is ahead of the process clock; NaN if it cannot be read.',
    registers: [registry],
    async collect() {
      const startedAt = Date.now();
      const clock = await withTimeout(readClock(database), CLOCK_TIMEOUT_MS).catch((): typeof timedOut => timedOut);
      const halfway = (startedAt + Date.now()) / 2;
      this.set(clock === timedOut ? NaN : (clock - halfway) / 1_000);
    },
  });
}

function registerPools(registry: Registry, pools: Pools): void {
  const entries = Object.entries(pools);
  new Gauge({
    name: 'digital_goods_database_pool_connections',
    help: 'Connections to PostgreSQL in use, idle, and the maximum.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, database] of entries) {
        const { used, idle, max } = poolUse(database);
        this.set({ pool, state: 'used' }, used);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'most' }, max);
      }
    },
  });
  new Gauge({
    name: 'digital_goods_database_pool_waiting',
    help: 'Statements that wait for a connection to PostgreSQL.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, database] of entries) this.set({ pool }, poolUse(database).waiting);
    },
  });
}
