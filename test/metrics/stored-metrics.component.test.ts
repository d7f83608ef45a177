/** Metrics of an unreachable database. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { openDatabase } from '../../src/data/database/database';
import { metricsOf } from '../../src/metrics/server';
import { registerStoredMetrics } from '../../src/metrics/stored-metrics';

test.each(['is not there', 'does not answer'])(
  'When PostgreSQL %s, then the other metrics are exported soon, and the failure is reported',
  async (what) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    if (what === 'is not there') silent.close();
    const database = openDatabase(`postgres://nobody@127.0.0.1:${port}/none`, 1, { acquireMs: 30_000 });
    const registry = new Registry();
    const stored = registerStoredMetrics(registry, database);
    const began = performance.now();
    await stored.refresh();
    // The pool alone would wait for 30 s.
    expect(performance.now() - began).toBeLessThan(20_000);
    const { status, body } = await metricsOf(registry, 'other 1\n');
    expect(status).toBe(200);
    expect(body).toMatch(/^digital_goods_database_figures_up 0$/m);
    expect(body).toContain('other 1');
    const omitted = body.match(/^digital_goods_\w+/gm)?.filter((name) => !name.endsWith('_figures_up'));
    expect(omitted).toEqual([]);
    sockets.forEach((socket) => socket.destroy());
    silent.close();
    await database.close();
  },
);
