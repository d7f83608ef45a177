/** The client library rehearses each fault of a sandbox. docs/clients/going-live.md#rehearse-the-failures. */
import {
  DigitalGoods,
  OutcomeUnknownError,
  type EsimOrderRequest,
  type VoucherOrderRequest,
} from '@digital-goods/client';
import { sandboxFaults } from '../../src/domain/orders/sandbox-faults';
import { newClient, useDatabase } from '../support/clients';
import { orderOf } from '../support/orders';
import { orderCount } from '../support/records';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { useNew } from '../support/made';

const database = useDatabase();
const own = useNew(() => newClient(database, { USD: 1_000 }));

function library(maxRetries?: number): DigitalGoods {
  const { api_key: apiKey, api_secret: apiSecret } = own.credentials;
  const timeouts = { create: 2_000 };
  return new DigitalGoods({
    baseUrl: loadStack().api_url,
    apiKey,
    apiSecret,
    timeouts,
    ...(maxRetries !== undefined && { maxRetries }),
  });
}

const voucher = orderOf('voucher_instant') as unknown as VoucherOrderRequest;

test.each(sandboxFaults)(
  'When %s is rehearsed, then the library ends with one delivered order',
  async (sandboxFault) => {
    const order = await library().vouchers.orders.create(voucher, { sandboxFault });
    expect(order.status).toBe('DELIVERED');
    expect(await orderCount(database, own.id)).toBe(1);
  },
);

test('When the only attempt leaves no order and an unknown outcome, then the error looks up no order, and the same call places one', async () => {
  const failed: unknown = await library(0)
    .vouchers.orders.create(voucher, { sandboxFault: '504-not-placed' })
    .catch((error: unknown) => error);
  if (!(failed instanceof OutcomeUnknownError)) throw failed;
  expect(await failed.lookUp()).toBeUndefined();
  const { clientReference: client_reference, idempotencyKey } = failed;
  const again = { ...voucher, client_reference };
  await library(0).vouchers.orders.create(again, { idempotencyKey, sandboxFault: '504-not-placed' });
  expect(await orderCount(database, own.id)).toBe(1);
});

test('When the validity of an installed eSIM is ended, then the eSIM is EXPIRED and its data is left', async () => {
  const goods = library();
  const request = orderOf('esim_instant') as unknown as EsimOrderRequest;
  const { id } = await goods.esim.orders.create(request);
  await goods.sandbox.useEsimData(id, 1);
  expect(await goods.sandbox.expireEsim(id)).toMatchObject({ activation_status: 'EXPIRED' });
  const { data_left_mb } = await goods.esim.usage(id);
  expect(data_left_mb).toBeGreaterThan(0);
});
