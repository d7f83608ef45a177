/** How a process itself is: whether it keeps up, what it holds, how its connections to PostgreSQL are used. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../data/database';
import { poolUse } from '../data/database';

/** How often it is looked how late timers are, in milliseconds; a lag below it is none. */
const RESOLUTION_MS = 20;

const quantiles = [0.5, 0.99, 1] as const;

/** Registers the figures. `pools`: the connections to PostgreSQL by what they are for. */
export function registerProcessFigures(registry: Registry, pools: Readonly<Record<string, Database>>): void {
  registerLag(registry);
  new Gauge({
    name: 'digital_goods_resident_memory_bytes',
    help: 'Memory the process holds.',
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  registerPools(registry, pools);
}

function registerLag(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  new Gauge({
    name: 'digital_goods_event_loop_lag_seconds',
    help: 'How late the process came to what was due, since the scrape before.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of quantiles) {
        const lateMs = delays.percentile(quantile * 100) / 1e6 - RESOLUTION_MS;
        this.set({ quantile: String(quantile) }, Math.max(0, lateMs) / 1_000 || 0);
      }
      delays.reset();
    },
  });
}

function registerPools(registry: Registry, pools: Readonly<Record<string, Database>>): void {
  const uses = Object.entries(pools);
  new Gauge({
    name: 'digital_goods_database_pool_connections',
    help: 'Connections to PostgreSQL that are in use or idle, and the most there can be.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, database] of uses) {
        const { used, idle, most } = poolUse(database);
        this.set({ pool, state: 'used' }, used);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'most' }, most);
      }
    },
  });
  new Gauge({
    name: 'digital_goods_database_pool_waiting',
    help: 'Statements that wait for a connection to PostgreSQL.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, database] of uses) this.set({ pool }, poolUse(database).waiting);
    },
  });
}
