/** The words in which the audit and the story of an order say what was done. */
import { changesIn, deedOf, type Deed } from '../../src/domain/audit-deeds';

const deed = (more: Partial<Deed>): Deed => ({
  action: 'workflow.updated',
  command: 'orders cancel',
  operator: 'Pat',
  member: null,
  client: 'Acme Ltd',
  actor: 'OPERATOR',
  before: null,
  after: null,
  moved: null,
  ...more,
});

const message = (name: string, answer: unknown, asked: unknown[] = ['Ordered twice']) =>
  deed({ after: { message: name, asked, answer } });

test.each([
  ['Cancelled by Pat', message('cancelOrder', 'Order 7 is CANCELLED')],
  [
    'Cancellation refused: too late (the purchase was sent)',
    message('cancelOrder', { refused: 'Too late: the purchase was sent' }),
  ],
  ['Cancellation without effect: order 7 is DELIVERED', message('cancelOrder', 'Order 7 is DELIVERED')],
  ['Cancellation requested by Pat', message('cancelOrder', null)],
  ['Released by Pat', message('releaseOrder', 'Order 7: 1 of 1 units delivered')],
  [
    'Release refused: the order is not under review',
    message('releaseOrder', { refused: 'The order is not under review' }),
  ],
  ['Resolved as not bought by Pat', message('resolveOrder', 'Order 7', [{ resolution: 'NOT_BOUGHT' }])],
  ['Supplier polled again by Pat', message('resolveOrder', 'Order 7', ['ASK_AGAIN'])],
  [
    'Decision refused: another decision is being carried out',
    message('resolveOrder', { refused: 'Another decision is being carried out' }, ['ASK_AGAIN']),
  ],
  ['Event skipped by Pat', message('skipEvent', true)],
  ['Skip refused: the event was not pending', message('skipEvent', false)],
])('When the audit has a message with its answer, then its words are "%s"', (words, entry) => {
  expect(deedOf(entry)).toBe(words);
});

test('When an entry is older than its answer, or was copied from a history, then its words follow from what it has', () => {
  const sent = { action: 'workflow.update_sent', after: { message: 'cancelOrder', asked: ['Twice'] } };
  const copied = { command: 'retryNow', operator: 'ops/jane', after: {} };
  expect([
    deedOf(deed(sent)),
    deedOf(deed({ ...copied, action: 'workflow.signalled' })),
    deedOf(deed({ ...copied, action: 'workflow.signal_sent' })),
    deedOf(deed({ ...copied, action: 'workflow.messaged', operator: null, command: 'message 2' })),
    deedOf(deed({ ...copied, command: 'constructor', action: 'workflow.signalled' })),
  ]).toEqual([
    'Cancellation requested by Pat',
    'Retried by jane',
    'Retry requested by jane',
    'Message received, whose history was deleted',
    'constructor received by jane',
  ]);
});

test('When an entry is about a row, a call of a client or a movement of money, then its words name that', () => {
  const moved = { kind: 'FUNDING', amount: '25.00', currency: 'USD' };
  const client = { actor: 'CLIENT', operator: null };
  expect([
    deedOf(deed({ action: 'wallet.changed' })),
    deedOf(deed({ action: 'api_key.rolled', ...client })),
    deedOf(deed({ action: 'member.joined', ...client, member: 'ann@acme.example' })),
    deedOf(deed({ action: 'esim.polled', operator: null })),
    deedOf(deed({ action: 'transaction.created', moved })),
    deedOf(
      deed({ action: 'transaction.created', actor: 'SERVICE', operator: null, moved: { ...moved, amount: '-4.20' } }),
    ),
  ]).toEqual([
    'Wallet changed by Pat',
    'API key rolled by Acme Ltd',
    'Invitation accepted by ann@acme.example',
    'eSIM polled',
    'Credited 25.00 USD (funding) by Pat',
    'Debited 4.20 USD (funding)',
  ]);
});

test('When an entry has values before and after, then it names only those that changed', () => {
  const before = { status: 'PENDING', delivered: 0 };
  const after = { message: 'cancelOrder', asked: ['Twice'], status: 'CANCELLED', delivered: 0 };
  expect([
    changesIn(deed({ before, after })),
    changesIn(deed({ action: 'workflow.update_sent', before, after: { message: 'cancelOrder' } })),
    changesIn(deed({ action: 'client.changed', before: { bulk_limit: 100 }, after: { bulk_limit: 5 } })),
    changesIn(
      deed({
        action: 'api_key.changed',
        before: { scopes: ['read', 'codes'] },
        after: { scopes: ['read', 'webhooks'] },
      }),
    ),
    changesIn(deed({ action: 'wallet.changed', before: { closed_at: null }, after: { closed_at: '2026' } })),
    changesIn(
      deed({
        action: 'spend_rule.changed',
        before: { is_active: false, event_types: [], name: 'ACME', family: 'VOUCHER' },
        after: {
          is_active: true,
          event_types: ['order.failed'],
          name: 'ACME LTD',
          family: 'TOPUP',
          daily_caps: { max_count: 5 },
          ends_at: '2026-11-27T22:15:45.5+00:00',
        },
      }),
    ),
  ]).toEqual([
    'Status: pending → cancelled',
    '',
    'Bulk limit: 100 → 5',
    'Scopes: read, codes → read, webhooks (gone: codes; new: webhooks)',
    'Closed at: 2026',
    'Active: no → yes; Event types: none → order.failed (new: order.failed); Name: ACME → ACME LTD; Family: voucher → top-up; Daily caps: max count 5; Ends at: 2026-11-27T22:15:45.500Z',
  ]);
});

test('When an entry is about a new object, then it names only what the object has', () => {
  const after = { name: 'ACME', is_active: true, is_sandbox: false, features: [], note: null };
  expect(changesIn(deed({ action: 'client.created', before: null, after }))).toBe('Name: ACME; Active: yes');
  expect(changesIn(deed({ action: 'client.changed', before: { failures: 5 }, after: { failures: 0 } }))).toBe(
    'Failures: 5 → 0',
  );
});

test('When an entry names an operation or an outcome, then it is in words', () => {
  const after = { operation: 'wallets credit-limit', outcome: 'REFUNDED' };
  expect(changesIn(deed({ action: 'proposal.created', after }))).toBe(
    'Operation: wallets: credit limit; Outcome: refunded',
  );
});
