/** Our bank accounts, as banks write them. */
import { accountName, ourAccount, type OurAccount } from '../../src/domain/funding/our-accounts';

const none = { iban: null, bic: null, account_number: null, routing_code: null, statementAccounts: [] };
const german: OurAccount = { ...none, beneficiary: 'Us', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
const british: OurAccount = {
  ...none,
  beneficiary: 'Us',
  iban: 'GB33BUKB20201555555555',
  bic: 'BUKBGB22XXX',
  statementAccounts: ['20-20-15 55555555', 'BUKB20201555555555'],
};
const american: OurAccount = { ...none, beneficiary: 'Us', account_number: '123-456789', routing_code: '026 009 593' };
const ours = [german, british, american];

test.each([
  ['DE89370400440532013000', german],
  ['DE89370400440532013000EUR', german],
  ['COBADEFFXXX/DE89370400440532013000', german],
  ['37040044/0532013000', german],
  ['37040044/532013000EUR', german],
  ['370400440532013000', german],
  ['GB33BUKB20201555555555', british],
  ['20201555555555', british],
  ['20-20-15/55555555', british],
  ['202015/55555555GBP', british],
  ['BUKB20201555555555', british],
  ['123456789', american],
  ['026009593/123456789', american],
  ['BOFAUS3NXXX/123456789USD', american],
])('When a bank writes %s, then it is the account of ours', (written, account) => {
  expect(ourAccount(written, ours)).toBe(account);
});

test.each(['', '/', 'EUR', '55555555', 'DE88370400440532013000', '0532013000', '37040044/0532013001', '1234567890'])(
  'When a bank writes "%s", then it is none of ours',
  (written) => {
    expect(ourAccount(written, ours)).toBeUndefined();
  },
);

test('When the settings spell an account in another way, or name other spellings, then its stored name stays', () => {
  expect(accountName(german)).toBe('DE89370400440532013000');
  expect(accountName(american)).toBe('026009593/123456789');
  const other = { ...american, account_number: '123456789', routing_code: '026009593', statementAccounts: ['X'] };
  expect(accountName(other)).toBe(accountName(american));
});
