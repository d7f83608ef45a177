/** What an order waits for: two commits, one that places it and one that stores its goods and ends it. `withoutFlush` names the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { firstAttempt } from '../../activities/purchases';
import { wallets } from '../../activities/wallet';
import { storeApiRequests, type ApiRequest } from '../../src/data/clients/api-requests';
import { openDatabase, type Database } from '../../src/data/database/database';
import { storeEncryptedValues } from '../../src/data/keys/data-keys';
import { placeAndClaim } from '../../src/data/orders/place-order';
import { progressNotifier } from '../../src/data/orders/progress-notifications';
import { settleOrder } from '../../src/data/orders/settle-order';
import { recordCall } from '../../src/data/suppliers/supplier-calls';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { InlineAttempts } from '../../src/ordering/purchasing/inline-attempts';
import { buysFromSimulator, databaseUrl, dependenciesWith, placed, reserved, supplier } from '../support/buying';
import { flushesDuring } from '../support/flushes';
import { newCaller, newHolder, reserve } from '../../dev/testbed/ledger-rows';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { ordered } from '../support/workflow-harness';

buysFromSimulator();

/** The number of times that a statement runs, because another session may flush for it. One that does not wait never flushes itself. */
const TIMES = 5;

let own: Database;
beforeAll(() => {
  own = openDatabase(databaseUrl, 1);
});
afterAll(() => own.close());

async function repeatedly(work: (time: number) => Promise<unknown>): Promise<void> {
  for (let time = 0; time < TIMES; time++) await work(time);
}

test('When an order is reserved, and the progress of orders is notified, then neither waits until it is durable', async () => {
  const holder = await newHolder(own, 100);
  const caller = await newCaller(own, holder.clientId);
  const reserving = await flushesDuring(own, () => repeatedly(() => reserve(own, holder, 1, { caller })));
  const notify = progressNotifier(own);
  const notifying = await flushesDuring(own, () =>
    repeatedly(async (time) => {
      notify({ nonce: `order-${time}` }, 'ENDED');
      await sleep(20);
    }),
  );
  expect({ reserving, notifying }).toEqual({ reserving: 0, notifying: 0 });
});

test('When a process stores what it has collected in memory, then it does not wait until that is durable', async () => {
  const { clientId } = await newHolder(own, 0);
  const request: ApiRequest = {
    clientId,
    at: new Date(),
    method: 'GET',
    route: '/api/v1/wallets',
    isOfConsole: false,
    apiKeyId: null,
    memberId: null,
    status: 200,
    errorCode: null,
    errorMessage: null,
    orderId: null,
    referenceHash: null,
    keyHash: null,
    durationMs: 1,
    requestId: 'collected',
  };
  const ring = await stackKeyRing();
  const call = { supplier: `collected-${clientId}`, family: 'VOUCHER', call: 'status' };
  const flushes = await flushesDuring(own, () =>
    repeatedly(async () => {
      await storeApiRequests(own, [request]);
      await recordCall(own, call);
      ring.encrypting('payload');
      await storeEncryptedValues(own, ring);
    }),
  );
  expect(flushes).toBe(0);
});

test('When an order is placed and ends, then each waits until it is durable', async () => {
  const orders: OrderKey[] = [];
  await repeatedly(async () => void orders.push(await reserved()));
  const placing = await flushesDuring(own, () => repeatedly((time) => placeAndClaim(own, orders[time] as OrderKey)));
  const open: OrderKey[] = [];
  await repeatedly(async () => void open.push(await placed()));
  const settling = await flushesDuring(own, () =>
    repeatedly((time) => settleOrder(own, (open[time] as OrderKey).orderId, { cancelled: true })),
  );
  expect(Math.min(placing, settling)).toBeGreaterThan(0);
});

test('When an order of one unit is delivered by the first attempt, then it waits for two commits in total', async () => {
  const inlineAttempts = new InlineAttempts();
  const deps = {
    ...dependenciesWith(supplier),
    database: own,
    countEnd: () => undefined,
    notifyProgress: progressNotifier(own),
  };
  const debits = wallets(deps, inlineAttempts);
  const attempts = firstAttempt({ ...deps, temporal: undefined as never }, inlineAttempts);
  const keys: OrderKey[] = [];
  await repeatedly(async () => void keys.push(await reserved()));
  const total = await flushesDuring(own, () =>
    repeatedly(async (time) => {
      const order = { ...ordered, ...(keys[time] as OrderKey), family: 'VOUCHER', asynchronous: false } as const;
      await debits.debitWallet(order, { onlyDebits: false });
      expect(await new MockActivityEnvironment().run(() => attempts.tryToBuy(order))).toMatchObject({ next: 'END' });
    }),
  );
  expect(total).toBeLessThanOrEqual(2 * TIMES);
});
