/** What an order waits for, and what operators can do about it. */
import { commandsFor, waitsFor, type StandingOrder } from '../../src/domain/orders/order-choices';

const open: StandingOrder = {
  id: 17,
  family: 'VOUCHER',
  status: 'PENDING',
  isOver: false,
  isHeld: false,
  quantity: 3,
  delivered: 0,
  supplier: 'simulator',
  supplierError: null,
  open: 1,
  attention: null,
  refundDue: null,
  refundable: null,
  walletId: 4,
  isWalletClosed: false,
  hasEmail: true,
  isMailDone: false,
};
const ended: StandingOrder = {
  ...open,
  status: 'DELIVERED',
  isOver: true,
  delivered: 3,
  open: 0,
  isMailDone: true,
  refundable: '29.4',
};
const refunded: StandingOrder = { ...ended, refundable: '0' };

test.each<[string, StandingOrder, string | null, string[]]>([
  [
    'waits for its supplier',
    open,
    'Waits: supplier simulator has accepted the purchase but not concluded it; 0 of 3 units delivered.',
    ['orders retry 17', 'orders cancel 17 --reason <text>', 'orders reveal 17 --reason <text>'],
  ],
  [
    'is under review',
    { ...open, isHeld: true, attention: 'Rule 3: more than 5 orders within an hour' },
    'Waits: it is under review: Rule 3: more than 5 orders within an hour (decide it with: orders release or orders cancel).',
    [
      'orders release 17 --reason <text>',
      'orders cancel 17 --reason <text>',
      'orders reveal 17 --reason <text>',
    ],
  ],
  [
    'needs a decision',
    { ...open, attention: 'The outcome is unknown', delivered: 1 },
    'Waits: The outcome is unknown (decide it with: orders resolve).',
    [
      'orders retry 17',
      'orders resolve 17 ask-again|not-bought|delivered|elsewhere|unusable --reason <text>',
      'orders reveal 17 --reason <text>',
    ],
  ],
  [
    'waits for its refund',
    { ...refunded, status: 'FAILED', refundDue: '5.00 USD', isWalletClosed: true },
    'Waits for its refund of 5.00 USD, because wallet 4 is closed.',
    [
      'wallets reopen 4',
      'orders refund 17 --reason <text>',
      'mail resend 17',
      'orders reveal 17 --reason <text>',
    ],
  ],
  [
    'waits for its mail',
    { ...ended, isMailDone: false },
    'Waits until its result is mailed.',
    ['orders refund 17 --reason <text>', 'mail resend 17', 'orders reveal 17 --reason <text>'],
  ],
  [
    'is done',
    { ...ended, hasEmail: false, family: 'ESIM' },
    null,
    ['orders refund 17 --reason <text>', 'esims poll 17', 'orders reveal 17 --reason <text>'],
  ],
  [
    'is delivered and names no recipient',
    { ...ended, hasEmail: false },
    null,
    ['orders refund 17 --reason <text>'],
  ],
  ['is refunded in full', { ...refunded, hasEmail: false }, null, []],
])('When an order %s, then it says so and offers what helps', (_state, order, sentence, commands) => {
  expect(waitsFor(order)).toBe(sentence);
  expect(commandsFor(order)).toEqual(commands);
});
