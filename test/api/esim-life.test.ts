/** The lifecycle of an eSIM after its delivery, in its order and its events. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError, type Client as TemporalClient, type WorkflowHandle } from '@temporalio/client';
import { pino } from 'pino';
import { openDatabase } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { advanceEsim, findUsage } from '../../src/data/esims/stored-esims';
import type { EsimOrderRow } from '../../src/data/purchases/families/esim';
import { findOrder } from '../../src/data/orders/order-reads';
import type { EsimTimes, EsimStatus } from '../../src/domain/esims/esim-lifecycle';
import { esimWorkflowId } from '../../src/domain/orders/order-ids';
import { refreshEsim, refreshUsage } from '../../src/ordering/esims/esim-status';
import type { Sealer } from '../../src/security/sealing';
import type { Supplier, SupplierTraits } from '../../src/domain/suppliers/port';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { useClient, useDatabase } from '../support/clients';
import { scenarioNamed } from '../support/orders';
import { eventsOf, type RecordedEvent } from '../support/records';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { accepted, esimOrders, type VariantOrder } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { closed } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { useMade } from '../support/made';

interface EsimOrder extends VariantOrder {
  iccid: string;
  activation_code?: string;
  activation_status: string;
  is_installed: boolean;
  installed_at?: string;
  activated_at?: string;
}

const database = useDatabase();
const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());
const client = useClient(database, { USD: 1_000 });

async function deliveredEsim(): Promise<EsimOrder> {
  const order = await accepted(client.api, esimOrders, scenarioNamed('esim_instant').body);
  expect(order.status).toBe('DELIVERED');
  return order as EsimOrder;
}

/** Changes the eSIM in the simulator, as a device does. */
async function field(esim: EsimOrder, change: 'install' | 'use' | 'deplete'): Promise<void> {
  const url = `${loadStack().simulator_url}/control/esims/${esim.iccid}/${change}`;
  expect((await fetch(url, { method: 'POST' })).status).toBe(200);
}

async function read(esim: EsimOrder): Promise<EsimOrder> {
  return (await client.api.get<EsimOrder>(`${esimOrders}/${esim.id}`)).body;
}

/** Waits for `count` lifecycle events of the eSIM without reading its order. */
async function lifeEvents(esim: EsimOrder, count: number): Promise<RecordedEvent[]> {
  return until(
    `${count} events of eSIM ${esim.id}`,
    async () => {
      const events = (await eventsOf(database, esim.id)).filter(({ type }) => lifeTypes.includes(type));
      return events.length >= count ? events : undefined;
    },
    15,
  );
}

const lifeTypes = ['esim.installed', 'esim.activated', 'esim.depleted'];

describe('The lifecycle of an eSIM', () => {
  test('When the eSIM is installed, used and depleted, then the client is notified of each change within 15 s', async () => {
    const esim = await deliveredEsim();
    const common = {
      id: esim.id,
      status: 'DELIVERED',
      product_name: esim.product_name,
      country_code: esim.country_code,
      data_amount_gb: esim.data_amount_gb,
      validity_days: esim.validity_days,
      amount: esim.amount,
      currency: esim.currency,
    };
    await field(esim, 'install');
    const [installed] = await lifeEvents(esim, 1);
    expect(installed).toEqual({ type: 'esim.installed', data: { ...common, activation_status: 'ACTIVE' } });
    expect((await read(esim)).activated_at).toBeUndefined();
    await field(esim, 'use');
    const [, activated] = await lifeEvents(esim, 2);
    expect(activated).toEqual({ type: 'esim.activated', data: { ...common, activation_status: 'ACTIVE' } });
    await field(esim, 'deplete');
    const events = await lifeEvents(esim, 3);
    expect(events[2]).toEqual({ type: 'esim.depleted', data: { ...common, activation_status: 'EXPIRED' } });
    expect(await read(esim)).toMatchObject({ status: 'DELIVERED', activation_status: 'EXPIRED', iccid: esim.iccid });
  });

  test('When the first report already shows use, then the order records the installation first and then the activation', async () => {
    const esim = await deliveredEsim();
    await field(esim, 'use');
    const events = await lifeEvents(esim, 2);
    expect(events.map(({ type }) => type)).toEqual(['esim.installed', 'esim.activated']);
    const shown = await read(esim);
    expect(shown).toMatchObject({ is_installed: true, activation_status: 'ACTIVE', installed_at: shown.activated_at });
  });

  test('When the validity of an eSIM ends before its installation, then its order stays unchanged, without an event', async () => {
    const esim = await deliveredEsim();
    await field(esim, 'deplete');
    expect(await read(esim)).toMatchObject({ activation_status: 'NOT_INSTALLED', is_installed: false });
    await sleep(2_000);
    expect(await lifeEvents(esim, 0)).toEqual([]);
  });

  test('When a push, reads and a poll see the same changes concurrently, then the client is notified of each change once, in order', async () => {
    const esims = await Promise.all(Array.from({ length: 5 }, deliveredEsim));
    await Promise.all(
      esims.map(async (esim) => {
        const monitor = await monitorOf(esim);
        await Promise.all([field(esim, 'use'), field(esim, 'deplete'), read(esim), read(esim)]);
        // The reads may already have notified the eSIM monitor of the end.
        await Promise.allSettled([monitor.signal('retryNow'), read(esim), monitor.signal('retryNow')]);
        await lifeEvents(esim, 3);
        await closed(monitor);
        expect((await lifeEvents(esim, 3)).map(({ type }) => type)).toEqual(lifeTypes);
      }),
    );
  });

  test('When forty concurrent writers know different steps, then each step is stored and notified once, in order', async () => {
    const esim = await deliveredEsim();
    const crowd = openDatabase(loadStack().database_url, 20);
    const [installedAt, activatedAt, depletedAt] = [1, 2, 3].map((day) => new Date(Date.UTC(2030, 0, day)));
    const known = [
      { installedAt, activatedAt: null, depletedAt: null },
      { installedAt, activatedAt, depletedAt: null },
      { installedAt, activatedAt, depletedAt },
    ] as EsimTimes[];
    const writers = Array.from({ length: 40 }, (_, writer) => known[writer % 3] as EsimTimes);
    await Promise.all(writers.map((times) => advanceEsim(crowd, esim.id, times)));
    await crowd.close();
    expect((await lifeEvents(esim, 3)).map(({ type }) => type)).toEqual(lifeTypes);
    const order = await findOrder(database, 'ESIM', client.id, esim.id);
    expect(order).toMatchObject({ activationStatus: 'EXPIRED', installedAt, activatedAt });
  });

  test('When the profile ends, then its monitor completes and shows operators the final status', async () => {
    const esim = await deliveredEsim();
    const monitor = await monitorOf(esim);
    expect((await monitor.describe()).searchAttributes).toMatchObject({
      OrderId: [esim.id],
      ClientId: [client.id],
      ActivationStatus: ['NOT_INSTALLED'],
    });
    await field(esim, 'use');
    await lifeEvents(esim, 2);
    await field(esim, 'deplete');
    const { status, searchAttributes } = await closed(monitor);
    expect(status.name).toBe('COMPLETED');
    expect(searchAttributes).toMatchObject({ ActivationStatus: ['EXPIRED'] });
  });
});

describe('Reading an eSIM order', () => {
  test('When the eSIM is installed, then the next read shows the installation and omits the activation code', async () => {
    const esim = await deliveredEsim();
    expect(await read(esim)).toMatchObject({ activation_code: esim.activation_code, is_installed: false });
    await field(esim, 'install');
    await lifeEvents(esim, 1);
    const shown = await read(esim);
    expect(shown).toMatchObject({ is_installed: true, activation_status: 'ACTIVE', iccid: esim.iccid });
    expect(shown.installed_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(shown).not.toHaveProperty('activation_code');
  });

  test('When many reads are concurrent, then they poll the supplier once, and the next read polls it again', async () => {
    const { ask, refresh } = await refreshing({});
    await Promise.all(Array.from({ length: 30 }, refresh));
    expect(ask).toHaveBeenCalledTimes(1);
    await refresh();
    await refresh();
    expect(ask).toHaveBeenCalledTimes(3);
  });

  test('When the eSIM is installed between two reads, then the second read shows the installation', async () => {
    const esim = await deliveredEsim();
    expect(await read(esim)).toMatchObject({ is_installed: false });
    await field(esim, 'install');
    expect(await read(esim)).toMatchObject({ is_installed: true, activation_status: 'ACTIVE' });
  });

  test('When the profile has changed, then the read shows and stores the change and notifies the workflow once', async () => {
    const { order, ask, signal, refresh } = await refreshing({});
    expect(await refresh()).toEqual(order);
    expect(signal).not.toHaveBeenCalled();
    const installedAt = new Date();
    ask.mockResolvedValue({ installedAt });
    const shown = await Promise.all([refresh(), refresh()]);
    expect(shown).toEqual([1, 2].map(() => ({ ...order, activationStatus: 'ACTIVE', installedAt })));
    expect(await findOrder(database, 'ESIM', client.id, order.id)).toEqual(shown[0]);
    expect(signal).toHaveBeenCalledTimes(1);
  });

  test('When the supplier caches a status for some time, then reads poll the supplier once in that time', async () => {
    const { ask, refresh } = await refreshing({}, { esimStatusCachedMs: 60_000 });
    await refresh();
    await refresh();
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test('When the supplier cannot be polled, then the read shows the stored state', async () => {
    const { order, ask, refresh } = await refreshing({});
    ask.mockRejectedValue(new Error('out of reach'));
    expect(await refresh()).toEqual(order);
  });

  test('When the supplier is removed, then reads show the stored state and the last usage', async () => {
    const used = { totalMb: 1_000, usedMb: 300, leftMb: 700, endsAt: null };
    const { order, refresh, usageAfterPoll, removeSupplier } = await refreshing({ usage: used });
    const polled = await usageAfterPoll();
    expect(Number(polled.dataTotalMb)).toBe(1_000);
    await sql(database)`UPDATE esim_orders SET usage_checked_at = now() - interval '1 hour'
         WHERE order_id = ${order.id}`;
    removeSupplier();
    const { dataTotalMb, dataUsedMb, dataLeftMb } = polled;
    expect(await usageAfterPoll()).toMatchObject({ dataTotalMb, dataUsedMb, dataLeftMb });
    expect(await refresh()).toEqual(order);
  });

  test('When the supplier does not respond, then the read shows the stored state after 15 s', async () => {
    const { order, ask, refresh } = await refreshing({});
    ask.mockImplementation(() => new Promise(() => undefined));
    const started = Date.now();
    expect(await refresh()).toEqual(order);
    expect(Date.now() - started).toBeGreaterThan(14_500);
    expect(Date.now() - started).toBeLessThan(25_000);
  });
});

test('When the supplier cannot be polled about an eSIM, then the error does not name the supplier', async () => {
  const supplier = createSimulatorSupplier({ url: 'http://127.0.0.1:1', secret: 'unused', maxUnits: 500 });
  await expect(supplier.esimStatus?.('8988211000000000001')).rejects.toThrow('GET /esims/:iccid: ECONNREFUSED');
});

/** The eSIM monitor. It starts after the response to the order request. */
async function monitorOf({ id }: EsimOrder): Promise<WorkflowHandle> {
  const order = (await findOrder(database, 'ESIM', client.id, id)) as EsimOrderRow;
  const monitor = temporal.workflow.getHandle(esimWorkflowId(id, order.nonce));
  await until('the workflow of an eSIM', () =>
    monitor.describe().catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return undefined;
    }),
  );
  return monitor;
}

/** Reads a delivered eSIM with a stub supplier, a stub sealer and a stub Temporal client. */
async function refreshing(status: EsimStatus, traits: Partial<SupplierTraits> = {}) {
  const { id } = await deliveredEsim();
  const order = (await findOrder(database, 'ESIM', client.id, id)) as EsimOrderRow;
  const ask = jest.fn(async () => status);
  const signal = jest.fn(async () => undefined);
  const deps = {
    database,
    log: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
    sealer: { openForView: () => 'an ICCID' } as unknown as Sealer,
    suppliers: new Map([['simulator', { esimStatus: ask, traits } as unknown as Supplier]]),
    temporal: { workflow: { getHandle: () => ({ signal }) } } as unknown as TemporalClient,
  };
  return {
    order,
    ask,
    signal,
    refresh: () => refreshEsim(deps, order),
    usageAfterPoll: async () => {
      await refreshUsage(deps, order);
      return findUsage(database, id);
    },
    removeSupplier: () => deps.suppliers.clear(),
  };
}
