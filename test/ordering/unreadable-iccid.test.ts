/** An eSIM whose ICCID does not open: its follower waits for an operator, and nobody else does for it. */
import { esims } from '../../activities/esim';
import { attentionOf } from '../../src/data/attention';
import { rows } from '../../src/data/database';
import { familyStorage } from '../../src/data/orders/families';
import { claimNextPurchase, type ClaimedPurchase } from '../../src/data/orders/purchases';
import { settleOrder } from '../../src/data/orders/settle-order';
import { Sealer } from '../../src/security/sealing';
import type { Supplier } from '../../src/suppliers/port';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../support/scratch-database';
import { newKeyRing } from '../support/keys';

const day = 24 * 60 * 60_000;
const { database } = scratchDatabase();
const newSealer = () => new Sealer(newKeyRing());
const sealer = newSealer();

/** A delivered eSIM, with the activities of a worker that has the keys and of one that has not. */
async function delivered() {
  const { orderId, nonce } = await placedOrder(database, 'ESIM');
  const purchase = (await claimNextPurchase(database, { orderId, nonce })) as ClaimedPurchase;
  const outcome = { state: 'DELIVERED', supplierOrderId: 'S1', failureCode: null, detail: null } as const;
  const goods = {
    kind: 'esim' as const,
    iccid: `89${String(orderId).padStart(17, '0')}`,
    activationCode: 'LPA:1$rsp.example.com$CODE',
  };
  await familyStorage.ESIM.storeUnits({ database, sealer }, purchase, outcome, [{ position: 1, goods }]);
  await settleOrder(database, orderId, {});
  const esimStatus = jest.fn(async () => ({}));
  const suppliers = new Map([['simulator', { name: 'simulator', esimStatus } as unknown as Supplier]]);
  const workerWith = (keys: Sealer) => esims({ database, sealer: keys, suppliers });
  return {
    order: { orderId, nonce },
    esimStatus,
    worker: workerWith(sealer),
    keyless: workerWith(newSealer()),
  };
}

test('When it does not open, then operators are told and the follower waits its idle time, until it opens again', async () => {
  const { order, esimStatus, worker, keyless } = await delivered();
  expect(await keyless.pollEsim(order, Date.now())).toMatchObject({
    status: 'NOT_INSTALLED',
    unreadable: true,
  });
  expect(esimStatus).not.toHaveBeenCalled();
  expect(await attentionOf(database, order.orderId)).toMatch('Its ICCID does not open');

  expect(await worker.pollEsim(order, Date.now())).not.toHaveProperty('unreadable');
  expect(esimStatus).toHaveBeenCalledTimes(1);
  expect(await attentionOf(database, order.orderId)).toBeNull();
});

test('When it does not open and its days are over, then it expires all the same', async () => {
  const { order, keyless } = await delivered();
  const used = `UPDATE esim_orders SET activation_status = 'ACTIVE', installed_at = now(), activated_at = now()
                 WHERE order_id = $orderId`;
  await rows(database, used, { orderId: order.orderId });
  expect(await keyless.pollEsim(order, Date.now() + 8 * day)).toMatchObject({ status: 'EXPIRED' });
});
