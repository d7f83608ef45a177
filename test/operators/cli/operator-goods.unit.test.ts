import { readGoodsFile } from '../../../src/operators/operations/orders/goods-file';

const read = (family: 'VOUCHER' | 'ESIM', ...goods: object[]) =>
  readGoodsFile({ name: 'goods.json', bytes: Buffer.from(JSON.stringify(goods)) }, { family, now: new Date() }).goods;

test.each(['javascript:alert(1)', 'www.shop.example/X', 'https://shop.example/a b'])(
  'When an operator brings a voucher with the claim URL %j, then it is rejected as it is from a supplier',
  (claim_url) =>
    expect(() => read('VOUCHER', { card_number: 'A', claim_url })).toThrow(
      'The voucher is not usable: the claim URL is not a web address. Correct the file',
    ),
);

test('When an operator brings goods as mails and portals show them, then they are read in their normal form', () => {
  expect(read('VOUCHER', { claim_url: 'https://shop.example/?a=1&amp;b=2' })).toEqual([
    { kind: 'voucher', claimUrl: 'https://shop.example/?a=1&b=2' },
  ]);
  const activation_code = 'LPA:1$rsp.example.com$CODE';
  expect(read('ESIM', { iccid: '8944 5001 1234 5678 901', activation_code })).toEqual([
    { kind: 'esim', iccid: '8944500112345678901', activationCode: activation_code },
  ]);
});
