import type { EsimGoods } from '../../src/domain/orders/goods';
import { goodsRemark, normalised, profileFault } from '../../src/domain/orders/usable-goods';

const good = {
  iccid: '89887449679605301773',
  activationCode: 'LPA:1$smdp.sandbox-esim.example$04386-AGYFT-A74Y8-3F815',
};
const profileOf = (special: Partial<EsimGoods>): EsimGoods => normalised({ kind: 'esim', ...good, ...special });

const wrongLength = 'the ICCID does not have 19 or 20 digits';
const notLpa = 'the activation code is not an LPA string of three parts';

test.each([
  ['89887449679605301773', '89887449679605301773'],
  ['8988744967960530177', '8988744967960530177'],
  ['8988744967960530177F', '8988744967960530177'],
  [' 8988744967960530177f\n', '8988744967960530177'],
  ['8988744967960530177FFF', '8988744967960530177'],
])('When the supplier sends the ICCID %j, then clients see %s', (iccid, shown) => {
  const profile = profileOf({ iccid });
  expect(profileFault(profile)).toBeUndefined();
  expect(profile.iccid).toBe(shown);
});

test('When the last digit of an ICCID is no check digit, as in our API reference, then operators see a remark, and the profile is usable', () => {
  const ofReference = profileOf({ iccid: '8988303000000614227' });
  expect(profileFault(ofReference)).toBeUndefined();
  const ending = (digit: number) => goodsRemark(profileOf({ iccid: `8988744967960530177${digit}` }));
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((digit) => ending(digit) === undefined)).toEqual([3]);
  expect(ending(4)).toBe('The check digit of the ICCID is wrong');
});

test('When an ICCID has 18 digits, then it is usable only as a test profile of a sandbox', () => {
  const iccid = '873000000000000270';
  expect(profileFault(profileOf({ iccid }))).toBe(wrongLength);
  expect(profileFault(profileOf({ iccid, isTest: true }))).toBeUndefined();
});

test.each([
  '898874496796053',
  '898874496796053017731',
  '8988744967960530177x',
  '',
  'FFFF',
  '8988F44967960530177',
  '87300000000000027',
])('When the ICCID is %j, then it has the wrong length', (iccid) =>
  expect(profileFault(profileOf({ iccid, isTest: true }))).toBe(wrongLength),
);

test.each([
  ['LPA:1$smdp.example.com$ABC', 'LPA:1$smdp.example.com$ABC'],
  ['LPA:1$SMDP.GSMA.COM$04386-AGYFT-A74Y8-3F815', 'LPA:1$SMDP.GSMA.COM$04386-AGYFT-A74Y8-3F815'],
  ['LPA:1$a.b$1', 'LPA:1$a.b$1'],
  ['lpa:1$a.b$1', 'LPA:1$a.b$1'],
  ['1$smdp.example.com$ABC', 'LPA:1$smdp.example.com$ABC'],
  ['LPA:1$smdp.example.com$ABC$1.3.6.1.4.1.31746', 'LPA:1$smdp.example.com$ABC'],
  ['LPA:1$smdp.example.com$ABC$', 'LPA:1$smdp.example.com$ABC'],
  ['LPA:1$smdp.example.com$ABC$$', 'LPA:1$smdp.example.com$ABC'],
  ['LPA:1$smdp.example.com$ABC$1.2.3$0', 'LPA:1$smdp.example.com$ABC'],
  ['LPA:1$smdp.example.com$A_B.C-1', 'LPA:1$smdp.example.com$A_B.C-1'],
  [' LPA:1$smdp.example.com$ABC\n', 'LPA:1$smdp.example.com$ABC'],
])('When the supplier sends the activation code %j, then clients see %s', (activationCode, shown) => {
  const profile = profileOf({ activationCode });
  expect(profileFault(profile)).toBeUndefined();
  expect(profile.activationCode).toBe(shown);
});

test.each(['LPA:1$smdp.example.com$ABC$$1', '1$smdp.example.com$ABC$1.2.3$1'])(
  'When the activation code is %s, then the profile is unusable, because clients have no confirmation code',
  (activationCode) => expect(profileFault(profileOf({ activationCode }))).toBe('the profile needs a confirmation code'),
);

test.each([
  'smdp.example.com$ABC',
  'LPA:2$smdp.example.com$ABC',
  'LPA:1$smdp.example.com',
  'LPA:1$smdp.example.com$',
  'LPA:1$$ABC',
  'LPA:1$smdp example.com$ABC',
  'LPA:1$smdp$ABC',
  'LPA:1$smdp.example.com$ABC$oid',
  'LPA:1$smdp.example.com$ABC$1.2$1$1',
  'LPA:1$smdp.example.com$A B',
  'LPA:1$smdp.example.com$ABC\u200b',
  '',
])('When the activation code is %j, then the profile is unusable', (activationCode) => {
  expect(profileFault(profileOf({ activationCode }))).toBe(notLpa);
});
