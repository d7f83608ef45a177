/** The JSON of a large order's vouchers equals that of a small order's, byte for byte. */
import { randomBytes } from 'node:crypto';
import { voucherViews, voucherViewsJson } from '../../src/api/vouchers/voucher-view';
import { sealCodes, type VoucherCodes } from '../../src/data/orders/voucher-codes';
import { KeyRing } from '../../src/security/key-ring';
import { Sealer, voucherCodes } from '../../src/security/sealing';

const ORDER_ID = 7;
const newKey = (id: string) => ({ id, secret: randomBytes(32) });
const key = newKey('a');
const sealer = new Sealer(new KeyRing({ seal: [key] }));

interface Stored {
  sealed: Buffer;
  /** Microseconds since 2000. */
  expiry?: bigint;
}

/** The vouchers as PostgreSQL returns them. */
function base64Of(vouchers: readonly Stored[]): string {
  const parts = vouchers.map(({ sealed, expiry = -(2n ** 63n) }, index) => {
    const head = Buffer.alloc(16);
    head.writeInt32BE(index + 1, 0);
    head.writeBigInt64BE(expiry, 4);
    head.writeInt32BE(sealed.length, 12);
    return Buffer.concat([head, sealed]);
  });
  return Buffer.concat(parts).toString('base64');
}

const sealedOf = (codes: readonly VoucherCodes[]) =>
  codes.map((code, index) => ({ sealed: sealCodes(sealer, { orderId: ORDER_ID, unit: index + 1 }, code) }));

function bothForms(vouchers: readonly Stored[], reader = sealer): { json: string; views: string } {
  const base64 = base64Of(vouchers);
  return {
    json: voucherViewsJson(reader, ORDER_ID, base64),
    views: JSON.stringify(voucherViews(reader, ORDER_ID, base64)),
  };
}

/** Texts that JSON escapes, or that look like its keys. */
const texts = [
  '',
  'CARD-1',
  'a"b\\c/d',
  '\\',
  '\\"',
  '","pinCode":"1',
  '"cardNumber":',
  '{"cardNumber":"x"}',
  '\b\f\n\r\t\u0000\u001f\u007f\u2028\u2029',
  'Å€漢😀',
  '\ud800',
  '\udc00x',
  'https://claim.example/?a=1&b=%20',
];
const fields = ['cardNumber', 'pinCode', 'claimUrl', 'referenceNumber'] as const;

test('When codes contain any text in any field, then both forms are equal', () => {
  const codes = texts.flatMap((text) => fields.map((field): VoucherCodes => ({ [field]: text })));
  const { json, views } = bothForms(sealedOf(codes));
  expect(json).toBe(views);
});

test('When any fields are missing, then both forms are equal', () => {
  const codes = Array.from({ length: 2 ** fields.length }, (_, set): VoucherCodes =>
    Object.fromEntries(fields.filter((_field, index) => set & (1 << index)).map((field) => [field, field])),
  );
  const { json, views } = bothForms(sealedOf(codes));
  expect(json).toBe(views);
  expect(JSON.parse(json)).toHaveLength(16);
});

test('When vouchers expire at different times or never, then both forms are equal', () => {
  const expiries = [undefined, 0n, 1_999n, 252_455_615_999_000_000n, 252_455_615_999_000_000n];
  const sealed = sealedOf(expiries.map(() => ({ cardNumber: 'CARD-1' })));
  const { json, views } = bothForms(
    sealed.map((voucher, index) => ({ ...voucher, ...(expiries[index] !== undefined && { expiry: expiries[index] }) })),
  );
  expect(json).toBe(views);
  expect((JSON.parse(json) as { expires_at: string | null }[]).map((voucher) => voucher.expires_at)).toEqual([
    null,
    '2000-01-01T00:00:00.000Z',
    '2000-01-01T00:00:00.001Z',
    '9999-12-31T23:59:59.000Z',
    '9999-12-31T23:59:59.000Z',
  ]);
});

test('When the sealed JSON has another form, then both forms are equal', () => {
  const json = ['{ "cardNumber": "1" }', '{"pinCode":"1","cardNumber":"2"}', '{"other":"1"}', '{"cardNumber":null}'];
  const stored = json.map((text, index) => ({ sealed: sealer.seal(voucherCodes(ORDER_ID, index + 1), text) }));
  const forms = bothForms(stored);
  expect(forms.json).toBe(forms.views);
});

test('When values are damaged, moved or sealed with a missing key, then both forms omit their codes and report each', () => {
  const [first, second] = sealedOf([{ cardNumber: '1' }, { cardNumber: '2' }]) as [Stored, Stored];
  const foreign = new Sealer(new KeyRing({ seal: [newKey('b')] }));
  const other = { sealed: sealCodes(foreign, { orderId: ORDER_ID, unit: 5 }, { cardNumber: '5' }) };
  const reported: string[] = [];
  const reader = new Sealer(new KeyRing({ seal: [key] }), (place) => reported.push(place));
  const { json, views } = bothForms(
    [first, { sealed: first.sealed }, { sealed: Buffer.of(0) }, { sealed: second.sealed.subarray(0, 20) }, other],
    reader,
  );
  expect(json).toBe(views);
  expect((JSON.parse(json) as { card_number: string | null }[]).map((voucher) => voucher.card_number)).toEqual([
    '1',
    null,
    null,
    null,
    null,
  ]);
  const places = [2, 3, 4, 5].map((unit) => voucherCodes(ORDER_ID, unit));
  expect(reported).toEqual([...places, ...places]);
});

test('When the key was rotated, then both forms contain the codes of both keys', () => {
  const newer = new Sealer(new KeyRing({ seal: [newKey('newer'), key] }));
  const stored = [
    ...sealedOf([{ cardNumber: '1' }]),
    { sealed: sealCodes(newer, { orderId: ORDER_ID, unit: 2 }, { cardNumber: '2' }) },
  ];
  const { json, views } = bothForms(stored, newer);
  expect(json).toBe(views);
  expect(json).toMatch(/"1".*"2"/);
});
