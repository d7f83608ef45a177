/** Our wallet at Zendit is empty after Zendit accepted a purchase. The responses are scripted. */
import { Sealer } from '../../src/security/sealing';
import { newKeyRing } from '../support/keys';
import type { Purchase } from '../../src/data/purchases/purchase-reads';
import { lookUp } from '../../src/ordering/purchasing/sending-and-lookup';
import { createZenditSupplier } from '../../src/suppliers/zendit';
import { HostileProxy } from '../support/hostile-proxy';
import { useMade } from '../support/made';

const reference = 'order-1-nonce1234567-0001';
const server = useMade(() => HostileProxy.before(() => 'http://127.0.0.1:1'), 'close');

beforeAll(async () => {
  const body = JSON.stringify({
    transactionId: reference,
    status: 'FAILED',
    error: { code: 'INSUFFICIENT_FUNDS', message: 'No.', description: 'No.' },
  });
  server.meddle = () => ({ do: 'answer-instead', answer: { status: 200, body } });
});

const sent = (attempt: number): Purchase => ({
  reference,
  orderId: 1,
  nonce: 'nonce1234567',
  family: 'VOUCHER',
  firstUnit: 1,
  units: 1,
  stored: 0,
  state: 'PENDING',
  attempt,
  attemptsMade: attempt,
  confirmed: true,
  supplierOrderId: null,
  failureCode: null,
  sentMsAgo: 9_000,
  sourceId: 1,
  supplier: 'zendit',
  sku: 'fixed:COFFEE_US_10:USD:10',
  data: null,
  why: '',
  sources: 1,
  faceValue: '10',
  currency: 'USD',
  redeemable: false,
  plan: null,
  boughtInGap: false,
  isSuccessor: false,
  sealedInput: null,
  rechargesOrderId: null,
  rechargedIccid: null,
  rechargedActivationCode: null,
  isListed: false,
  sendings: 1,
  chosen: null,
  cost: null,
  price: '10',
  walletCurrency: 'USD',
});

test.each([
  [1, { state: 'NOT_BOUGHT', because: 'our-account' }],
  [2, { state: 'AMBIGUOUS', isShown: true }],
])(
  'When the purchase was sent %s times, then the lookup allows a successor only after the first time',
  async (attempt, expected) => {
    const supplier = createZenditSupplier({ url: `${server.url}/v1`, key: 'key-of-the-tests' });
    expect(await lookUp({ sealer: new Sealer(newKeyRing()) }, sent(attempt), supplier)).toMatchObject(expected);
  },
);
