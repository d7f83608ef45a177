/** What an order waits for, and what operators can do about it. */
import {
  choicesWhileOpen,
  commandsAbout,
  waitsFor,
  type OpenOrderState,
  type StandingOrder,
} from '../../src/domain/orders/order-choices';

const open: StandingOrder = {
  id: 17,
  isOver: false,
  isHeld: false,
  quantity: 3,
  delivered: 0,
  supplier: 'simulator',
  supplierTrouble: null,
  open: 1,
  attention: null,
  refundDue: null,
  walletId: 4,
  isWalletClosed: false,
  hasEmail: true,
  isMailDone: false,
};
const ended: StandingOrder = { ...open, isOver: true, delivered: 3, open: 0, isMailDone: true };

test.each<[string, StandingOrder, string | null]>([
  [
    'waits for its supplier',
    open,
    'Waits: supplier simulator has accepted the purchase but not concluded it; 0 of 3 units delivered.',
  ],
  [
    'is under review',
    { ...open, isHeld: true, attention: 'Rule 3: more than 5 orders within an hour' },
    'Waits: it is under review: Rule 3: more than 5 orders within an hour (decide it with: orders release or orders cancel).',
  ],
  [
    'waits for a supplier whose calls fail',
    {
      ...open,
      supplierTrouble: {
        isBlocked: false,
        since: '2026-11-28T14:02:00.000Z',
        error: 'simulator: POST /purchases: 503 OUTAGE',
      },
    },
    'Waits: calls of supplier simulator fail (503 OUTAGE) since 2026-11-28T14:02:00.000Z.',
  ],
  [
    'needs a decision',
    { ...open, attention: 'The outcome is unknown', delivered: 1 },
    'Waits: The outcome is unknown (decide it with: orders resolve).',
  ],
  [
    'waits for its refund',
    { ...ended, refundDue: '5.00 USD', isWalletClosed: true },
    'Waits for its refund of 5.00 USD, because wallet 4 is closed.',
  ],
  ['waits for its mail', { ...ended, isMailDone: false }, 'Waits until its result is mailed.'],
  ['is done', { ...ended, hasEmail: false }, null],
])('When an order %s, then it says so', (_state, order, sentence) => {
  expect(waitsFor(order)).toBe(sentence);
});

const waiting: OpenOrderState = {
  isHeld: false,
  delivered: 0,
  cancellationRequested: false,
  outcomeUnknown: null,
  attention: null,
};

test.each<[string, Partial<OpenOrderState>, ReturnType<typeof choicesWhileOpen>]>([
  ['waits for its supplier', {}, ['RETRY', 'CANCEL']],
  ['is under review', { isHeld: true, attention: 'Rule 3' }, ['RELEASE', 'CANCEL']],
  ['has an unknown outcome', { outcomeUnknown: 'No answer', attention: 'No answer' }, ['RETRY', 'RESOLVE']],
  ['is on the attention list for another cause', { attention: 'A day' }, ['RETRY', 'CANCEL', 'RESOLVE']],
  ['is delivered in part', { delivered: 1, attention: 'A day' }, ['RETRY', 'RESOLVE']],
  ['is accepted by a supplier that cancels nothing', { acceptedBy: 'reloadly' }, ['RETRY']],
  ['is being cancelled', { cancellationRequested: true }, ['RETRY']],
])('When an open order %s, then only what can work is a choice', (_state, order, choices) => {
  expect(choicesWhileOpen({ ...waiting, ...order })).toEqual(choices);
});

test('When a refund waits for a closed wallet, then the wallet is among what operators can do', () => {
  expect(commandsAbout(open)).not.toContain('wallets reopen 4');
  expect(commandsAbout({ ...ended, refundDue: '5.00 USD', isWalletClosed: true })).toContain('wallets reopen 4');
});
