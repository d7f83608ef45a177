import { profileFault } from '../../src/domain/orders/usable-goods';

const good = {
  iccid: '89887449679605301773',
  activationCode: 'LPA:1$smdp.sandbox-esim.example$04386-AGYFT-A74Y8-3F815',
};
const luhn = (body: string) =>
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((digit) => `${body}${digit}`)
    .filter((iccid) => !profileFault({ ...good, iccid }));

test('When the ICCID has 19 or 20 digits, then exactly one check digit is right', () => {
  expect(luhn('898874496796053017')).toHaveLength(1);
  expect(luhn('8988744967960530177')).toEqual(['89887449679605301773']);
});

test.each(['898874496796053', '898874496796053017731', '8988744967960530177x', '', ' 89887449679605301773'])(
  'When the ICCID is %j, then it has the wrong length',
  (iccid) => expect(profileFault({ ...good, iccid })).toBe('the ICCID does not have 19 or 20 digits'),
);

test.each(['LPA:1$smdp.example.com$ABC', 'LPA:1$SMDP.GSMA.COM$04386-AGYFT-A74Y8-3F815', 'LPA:1$a.b$1'])(
  'When the activation code is %s, then the profile is valid',
  (activationCode) => expect(profileFault({ iccid: '89887449679605301773', activationCode })).toBeUndefined(),
);

test.each([
  'smdp.example.com$ABC',
  '1$smdp.example.com$ABC',
  'LPA:2$smdp.example.com$ABC',
  'LPA:1$smdp.example.com',
  'LPA:1$smdp.example.com$',
  'LPA:1$$ABC',
  'LPA:1$smdp.example.com$ABC$1.2.3',
  'LPA:1$smdp example.com$ABC',
  'LPA:1$smdp$ABC',
  'LPA:1$smdp.example.com$ABC\n',
  '',
])('When the activation code is %j, then the profile is unusable', (activationCode) => {
  expect(profileFault({ iccid: '89887449679605301773', activationCode })).toBe(
    'the activation code is not an LPA string of three parts',
  );
});
