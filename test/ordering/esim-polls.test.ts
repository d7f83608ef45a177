/** The results of eSIM polls when the ICCID cannot be decrypted or the supplier's clock is wrong. */
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { monitoring } from '../../activities/esims';
import { attentionOf, clearAttention, raiseAttention } from '../../src/data/attention/attention';
import { sql } from '../../dev/testbed/sql';
import { familyStorage } from '../../src/data/purchases/families';
import { claimNextPurchase, type ClaimedPurchase } from '../../src/data/purchases/purchases';
import { settleOrder } from '../../src/data/orders/settle-order';
import { Sealer } from '../../src/security/sealing';
import type { EsimStatus, MonitoredEsim } from '../../src/domain/esims/esim-lifecycle';
import { safeText } from '../../src/domain/safe-text';
import { isNotInstalled } from '../../src/ordering/esims/esim-status';
import type { Supplier } from '../../src/domain/suppliers/port';
import { SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { placedOrder } from '../support/placed-order';
import { cleanUp, startAnswering, supplierAt } from '../support/simulator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newKeyRing } from '../support/keys';

const day = 24 * 60 * 60_000;
const { database } = scratchDatabase();
/** A state that no poll returns. */
const nothingKnown: MonitoredEsim = { status: 'NOT_INSTALLED', isUsed: false, changedAt: 0, endsAt: 0, pushed: false };
/** Never connects: only the end of a recharge calls it. */
const temporal = new Client({ connection: Connection.lazy() });
const newSealer = () => new Sealer(newKeyRing());
const sealer = newSealer();
afterEach(() => {
  jest.restoreAllMocks();
  return cleanUp();
});

/** A delivered eSIM, and the activities of two workers: one has the keys, the other does not. */
async function delivered(status: Supplier['esimStatus'] = async () => ({})) {
  const { orderId, nonce } = await placedOrder(database, 'ESIM');
  const purchase = (await claimNextPurchase(database, { orderId, nonce })) as ClaimedPurchase;
  const outcome = { state: 'DELIVERED', supplierOrderId: 'S1', cost: null, failureCode: null, detail: null } as const;
  const goods = {
    kind: 'esim' as const,
    iccid: `89${String(orderId).padStart(17, '0')}`,
    activationCode: `LPA:1$rsp.example.com$CODE-${orderId}`,
  };
  await familyStorage.ESIM.storeUnits({ database, sealer }, purchase, outcome, [{ position: 1, goods }]);
  await settleOrder(database, orderId, {});
  const esimStatus = jest.fn(status);
  const suppliers = new Map([
    ['simulator', { name: 'simulator', traits: { pushesEsims: false }, esimStatus } as unknown as Supplier],
  ]);
  const workerWith = (keys: Sealer, configured = suppliers) => {
    const activities = monitoring({ database, sealer: keys, suppliers: configured, temporal });
    /** `failingSince`: as in `MonitorProgress`. */
    const poll = async (failingSince: number | null = null) =>
      (await activities.pollEsim({ orderId, nonce }, nothingKnown, failingSince)).esimState;
    return { poll };
  };
  return {
    order: { orderId, nonce },
    esimStatus,
    deps: { database, sealer, suppliers },
    worker: workerWith(sealer),
    /** A worker after an operator has removed the supplier. */
    withoutSupplier: workerWith(sealer, new Map()),
    keyless: workerWith(newSealer()),
  };
}

test('When the supplier is removed, then an active eSIM still ends with its validity', async () => {
  const now = new Date();
  const inUse = async () => ({ installedAt: now, firstUsedAt: now });
  const { worker, withoutSupplier } = await delivered(inUse);
  expect(await worker.poll()).toMatchObject({ status: 'ACTIVE' });
  expect(await withoutSupplier.poll()).toMatchObject({ status: 'ACTIVE' });
  jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 400 * day);
  expect(await withoutSupplier.poll()).toMatchObject({ status: 'EXPIRED' });
});

test('When the supplier takes longer than Temporal lets a poll take, then the poll fails before, and its retry policy sets the wait', async () => {
  const { worker } = await delivered(() => new Promise(() => undefined));
  const began = Date.now();
  const failure: unknown = await new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') })
    .run(() => worker.poll())
    .catch((error: unknown) => error);
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: 'SupplierUnavailable', nextRetryDelay: undefined, nonRetryable: false });
});

test('When a claim polls the eSIM and finds it installed, then its monitor is woken, and not if it finds no change', async () => {
  let status: EsimStatus = {};
  const { order, deps } = await delivered(async () => status);
  const wake = jest.fn(async () => undefined);
  expect(await isNotInstalled(deps, order, wake)).toBe(true);
  expect(wake).not.toHaveBeenCalled();
  status = { installedAt: new Date() };
  expect(await isNotInstalled(deps, order, wake)).toBe(false);
  expect(await isNotInstalled(deps, order, wake)).toBe(false);
  expect(wake).toHaveBeenCalledTimes(1);
});

test('When the ICCID cannot be decrypted, then the order is on the attention list and the supplier is not called until it can be decrypted', async () => {
  const { order, esimStatus, worker, keyless } = await delivered();
  expect(await keyless.poll()).toMatchObject({ status: 'NOT_INSTALLED', unreadable: true });
  expect(esimStatus).not.toHaveBeenCalled();
  expect(await attentionOf(database, order.orderId)).toMatch('Its ICCID cannot be decrypted');

  expect(await worker.poll()).not.toHaveProperty('unreadable');
  expect(esimStatus).toHaveBeenCalledTimes(1);
  expect(await attentionOf(database, order.orderId)).toBeNull();
});

test('When the ICCID cannot be decrypted and the days of the eSIM are over, then the eSIM still expires and leaves the attention list', async () => {
  const { order, keyless } = await delivered();
  await keyless.poll();
  expect(await attentionOf(database, order.orderId)).toMatch('Its ICCID cannot be decrypted');
  await sql(database)`UPDATE esim_orders
       SET activation_status = 'ACTIVE', installed_at = now(), activated_at = now()
                 WHERE order_id = ${order.orderId}`;
  jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 8 * day);
  expect(await keyless.poll()).toMatchObject({ status: 'EXPIRED' });
  expect(await attentionOf(database, order.orderId)).toBeNull();
});

describe('When the polls of an eSIM fail', () => {
  const unknownProfile = async () => {
    throw new SupplierUnavailable(safeText`simulator: GET /esims/:iccid: 404`);
  };
  /** A failed poll of an eSIM whose polls have failed for this many days. */
  const failedPoll = async (poll: (failingSince: number) => Promise<unknown>, days: number) => {
    const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
    await expect(environment.run(() => poll(Date.now() - days * day))).rejects.toThrow('404');
  };

  test('for two days, then the order is on the attention list until a poll is answered', async () => {
    const { order, worker, esimStatus } = await delivered(unknownProfile);
    await failedPoll(worker.poll, 1.9);
    expect(await attentionOf(database, order.orderId)).toBeNull();
    await failedPoll(worker.poll, 2.1);
    expect(await attentionOf(database, order.orderId)).toBe(
      'All polls of its state have failed for two days. The last one: simulator: GET /esims/:iccid: 404',
    );
    esimStatus.mockResolvedValue({});
    await worker.poll();
    expect(await attentionOf(database, order.orderId)).toBeNull();
  });

  test('because its supplier is down, then only the supplier is on the attention list', async () => {
    const { order, worker } = await delivered(unknownProfile);
    await raiseAttention(database, { supplier: 'simulator' }, 'SUPPLIER_DOWN', 'All calls fail');
    await failedPoll(worker.poll, 3);
    expect(await attentionOf(database, order.orderId)).toBeNull();
    await clearAttention(database, { supplier: 'simulator' }, ['SUPPLIER_DOWN']);
  });
});

describe("When the supplier's clock is wrong", () => {
  const never = { installed_at: null, first_used_at: null, depleted_at: null };
  const answering = async (message: object) =>
    supplierAt({ url: await startAnswering(200, JSON.stringify({ ...never, ...message })) }).esimStatus;

  const typesOf = async (orderId: number) =>
    (
      await sql(database)<{ type: string }>`SELECT type FROM events WHERE order_id = ${orderId}
           AND type LIKE 'esim.%ed' ORDER BY sequence`
    ).map(({ type }) => type);

  const monthAgo = new Date(Date.now() - 30 * day).toISOString();
  const times = ['1970-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', 'whenever'];

  test.each([monthAgo, ...times])(
    'and it reports a first use at %s, then the eSIM keeps its validity, and operators are notified once',
    async (first_used_at) => {
      const { order, worker } = await delivered(await answering({ status: 'IN_USE', first_used_at }));
      const began = Date.now() - day;
      for (let polls = 0; polls < 2; polls++) {
        const life = await worker.poll();
        expect(life.status).toBe('ACTIVE');
        expect(life.endsAt).toBeGreaterThan(began + 7 * day);
        expect(life.endsAt).toBeLessThanOrEqual(Date.now() + 7 * day);
      }
      expect(await typesOf(order.orderId)).toEqual(expect.arrayContaining(['esim.installed', 'esim.activated']));
      expect(await typesOf(order.orderId)).not.toContain('esim.depleted');
      expect(await attentionOf(database, order.orderId)).toMatch(/^The supplier's clock is wrong/);
    },
  );

  test.each([monthAgo, ...times])(
    'and it reports the end at %s, then only a DEPLETED status ends the eSIM',
    async (depleted_at) => {
      const message = { status: 'IN_USE', first_used_at: new Date().toISOString(), depleted_at };
      const { order, worker, esimStatus } = await delivered(await answering(message));
      expect(await worker.poll()).toMatchObject({ status: 'ACTIVE' });
      expect(await attentionOf(database, order.orderId)).toBeNull();
      const usedUp = (await answering({ ...message, status: 'DEPLETED' })) as typeof esimStatus;
      esimStatus.mockImplementation(usedUp);
      expect(await worker.poll()).toMatchObject({ status: 'EXPIRED' });
      expect(await typesOf(order.orderId)).toContain('esim.depleted');
      expect(await attentionOf(database, order.orderId)).toMatch(/reports its end at/);
    },
  );
});
