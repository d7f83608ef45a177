/** The proxies of the harness recognise purchases and lookups in the interface of each supplier. */
import { subjectOf } from '../../dev/faults/stack/supplier-calls';
import type { SupplierName } from '../../dev/faults/plan/suppliers';

const reference = 'order-17-k3x9aaaaaaaa-0001';
const successor = 'order-17-k3x9aaaaaaaa-x000100001';
const boundary = '3f7a1208-4b6e-4193-a0b1-5d1f00000001';
const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="description"\r\n\r\n${reference}\r\n--${boundary}--`;

test.each<[SupplierName, method: string, path: string, body: string, named: string]>([
  ['simulator', 'POST', '/purchases', `{"reference":"${reference}"}`, reference],
  ['dtone', 'POST', '/v1/async/transactions', `{"external_id":"${successor}"}`, successor],
  ['reloadly', 'POST', '/giftcards/orders', `{"customIdentifier":"${reference}"}`, reference],
  ['reloadly', 'POST', '/topups/topups-async', `{"customIdentifier":"${reference}"}`, reference],
  ['reloadly', 'POST', '/utilities/pay', `{"referenceId":"${reference}"}`, reference],
  [
    'zendit',
    'POST',
    '/v1/topups/purchases',
    '{"transactionId":"17-k3x9aaaaaaaa-x000100001"}',
    '17-k3x9aaaaaaaa-x000100001',
  ],
  ['airalo', 'POST', '/v2/orders', multipart, reference],
])('When %s gets %s %s, then it is the purchase with its reference', (supplier, method, path, body, named) => {
  expect(subjectOf(supplier, method, path, Buffer.from(body))).toEqual({ call: 'purchase', reference: named });
});

test.each<[SupplierName, path: string]>([
  ['simulator', `/purchases?reference=${reference}`],
  ['dtone', `/v1/transactions?external_id=${reference}&per_page=100`],
  ['reloadly', `/giftcards/reports/transactions?customIdentifier=${reference}&page=1`],
  ['reloadly', `/topups/topups/reports/transactions?customIdentifier=${reference}&page=1`],
  ['reloadly', `/utilities/transactions?referenceId=${reference}&page=1`],
  ['zendit', `/v1/esim/purchases/${reference}`],
  ['airalo', `/v2/orders?filter%5Bdescription%5D=${reference}&include=sims,status`],
])('When %s gets GET %s, then it is the lookup of the reference', (supplier, path) => {
  expect(subjectOf(supplier, 'GET', path, Buffer.alloc(0))).toEqual({ call: 'lookup', reference });
});

test.each<[SupplierName, method: string, path: string]>([
  ['dtone', 'GET', '/v1/transactions?from_date=2026-11-22T10:00:00.000Z&page=1'],
  ['zendit', 'GET', '/v1/vouchers/purchases?createdAt=gte2026-11-22T10:00:00.000Z'],
  ['airalo', 'GET', '/v2/orders?filter%5Bcreated_at%5D=2026-11-21%20-%202026-11-23'],
  ['airalo', 'POST', '/v2/token'],
])('When %s gets %s %s, then no fault of single calls affects it', (supplier, method, path) => {
  expect(subjectOf(supplier, method, path, Buffer.alloc(0)).call).toBeUndefined();
});

test('When an eSIM is polled, then the subject is its path', () => {
  const path = '/v2/sims/8944000000000801235/usage';
  expect(subjectOf('airalo', 'GET', path, Buffer.alloc(0))).toEqual({ call: 'esim', reference: path });
});
