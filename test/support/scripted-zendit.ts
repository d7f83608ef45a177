/** Zendit without its API: a proxy answers every call as a test says. */
import { purchaseReference } from '../../src/domain/orders/order-ids';
import type { PurchaseRequest } from '../../src/domain/suppliers/port';
import { createZenditSupplier } from '../../src/suppliers/zendit';
import { HostileProxy } from './hostile-proxy';
import { useMade } from './made';

export const reference = purchaseReference(1, 'nonce1234567', 1);
export const voucher: PurchaseRequest = {
  reference,
  family: 'VOUCHER',
  sku: 'fixed:COFFEE_US_10:USD:10',
  units: 1,
  unitValue: '10.00',
  currency: 'USD',
};

/** The proxy, which forgets its requests before each test, and the adapter that calls it. */
export function useScriptedZendit(webhookSecret?: string) {
  const server = useMade(() => HostileProxy.before(() => 'http://127.0.0.1:1'), 'close');
  const supplier = useMade(() =>
    createZenditSupplier({
      url: `${server.url}/v1`,
      key: 'key-of-the-tests',
      ...(webhookSecret !== undefined && { webhookSecret }),
    }),
  );
  beforeEach(() => void (server.requests.length = 0));
  return { server, supplier };
}
