/** Texts of operations in the back office, whose readers have buttons and no command line. */
import { moment } from '../../../packages/parts/src/format';
import { pageText } from '../../../packages/office/src/parts/page-text';

test.each([
  [
    'Waits: the supplier does not know the purchase (decide it with: orders resolve).',
    'Waits: the supplier does not know the purchase.',
  ],
  [
    'Waits: it is under review: a rule holds it (decide it with: orders release or orders cancel).',
    'Waits: it is under review: a rule holds it.',
  ],
  ['Entry 4 is taken by bob. Release it with `attention release 4`, then retry.', 'Entry 4 is taken by bob.'],
  [
    'Wallet 7 is closed. Reopen it with `wallets reopen 7`, then retry. Nothing was changed.',
    'Wallet 7 is closed. Nothing was changed.',
  ],
  ['There is no wallet 7. See them with: wallets list', 'There is no wallet 7.'],
  [
    'No event waits for endpoint 3. Send earlier events again with: webhooks replay 3 --since <time>',
    'No event waits for endpoint 3.',
  ],
  [
    'Claim 5 is ACCEPTED, and refund 1 of order 9 waits: the wallet is closed. Credit it with: wallets reopen',
    'Claim 5 is accepted, and refund 1 of order 9 waits: the wallet is closed.',
  ],
  [
    'Wallet 4: 960.8 USD → 970.6 USD. Claim 5: AT_SUPPLIER → ACCEPTED.',
    'Wallet 4: 960.80 USD → 970.60 USD. Claim 5: At supplier → Accepted.',
  ],
  [
    'Rate EUR/USD: old value 1.1, new value 92. More than 10 %: add --force to apply it. Nothing was changed.',
    'Rate EUR/USD: 1.1 → 92. More than 10 %. Nothing was changed.',
  ],
  ['Order 5 is under review. Decide it with: orders release, or orders cancel', 'Order 5 is under review.'],
  [
    '2 orders retry at once.\nSee the orders that stay open with: orders find --supplier simulator --status pending',
    '2 orders retry at once.',
  ],
  [
    'This address is a member already. See the members with: clients members "acme.example"',
    'This address is a member already.',
  ],
  ['Give one of --units, --unit and --amount.', 'Give one of “Units”, “Unit” and “Amount”.'],
  ['Give the code with --reason-code.', 'Give the code with “Reason code”.'],
  ['With --supplier: only count the orders', 'With “Supplier”: only count the orders'],
  ['PostgreSQL at DATABASE_URL cannot be used: it is starting', 'PostgreSQL cannot be used: it is starting'],
  ['Invited until 2026-12-03T10:00:00.000Z.', `Invited until ${moment('2026-12-03T10:00:00Z')}.`],
  ['Order 5 is PARTIALLY_DELIVERED: that is final', 'Order 5 is partially delivered: that is final'],
  [
    'Credits 1234567.5 USD in wallet 7 of acme, which holds 0 JPY at 1.23456 USD.',
    'Credits 1,234,567.50 USD in wallet 7 of acme, which holds 0 JPY at 1.23456 USD.',
  ],
  [
    'Discount in percent of acme on Coffee: old value 5, new value 5.5, difference +0.5 (+10 %). acme gets it.',
    'Discount in percent of acme on Coffee: 5 → 5.5 (+0.5, +10 %). acme gets it.',
  ],
  ['Client 2 gets 7.5 % off VOUCHER product 1.', 'Client 2 gets 7.5 % off voucher product 1.'],
])('When a text of an operation is for a command line, then the page shows it for a page: %s', (text, shown) => {
  expect(pageText(text)).toBe(shown);
});

test.each([
  'Repeated with the same reference, it changes nothing',
  'Give a time such as 2026-11-01 or 2026-11-01T12:00:00Z, or an age such as 90m, 12h or 1d.',
])('When a text names no command, then the page shows it as it is: %s', (text) => {
  expect(pageText(text)).toBe(text);
});
