/** Rehearsing in the document. docs/specification.md#sandbox. */
import { errors } from '../../domain/errors';
import { profileChanges, type ProfileChange } from '../../domain/esims/esim-lifecycle';
import { failureCodes } from '../../domain/orders/failure-codes';
import { orderStatuses } from '../../domain/orders/orders';
import { esimOrder } from '../esim/schemas';
import { json, type Operation, type Operations } from '../openapi/operation';
import { id, listOf, model, text, word } from '../openapi/schema';
import { topupOrder } from '../topups/schemas';
import { voucherOrder } from '../vouchers/schemas';
import { wallet } from '../wallets/schemas';
import { fundBody } from './routes';

const scenario = model(
  'SandboxScenario',
  'A course that an order can take, and what to order to see it.',
  {
    name: text('What it is called.', 'voucher_instant'),
    method: word('How it is sent.', ['POST']),
    path: text('Where it is sent.', '/api/v1/orders'),
    body: {
      type: 'object',
      description: 'What is sent.',
      examples: [{ product_id: 1, denomination: 10, quantity: 1 }],
    },
    initial_status: word('How the create is answered.', orderStatuses, 'DELIVERED'),
    final_status: word('How the order ends.', orderStatuses, 'DELIVERED'),
  },
  { failure_code: word('Why it fails, where it does.', failureCodes) },
);

const tag = 'Sandbox' as const;
const order = id('The order.');
const noOrder = [errors.validation('Invalid order ID'), errors.notFound('Order')];

const summaries: Readonly<Record<ProfileChange, string>> = {
  install: 'Install an eSIM',
  use: 'Use the first data of an eSIM',
  deplete: 'Use up the data of an eSIM',
};

const refusals: Readonly<Record<ProfileChange, string>> = {
  install: 'The eSIM is installed already',
  use: 'The eSIM is used already',
  deplete: 'The eSIM is not installed yet',
};

function changeOf(change: ProfileChange): [route: string, operation: Operation] {
  const operation: Operation = {
    id: `${change}SandboxEsim`,
    tag,
    feature: 'esim',
    summary: summaries[change],
    description: 'As a device would.',
    path: { order_id: order },
    answers: { 200: json('The order as it stands now.', esimOrder) },
    errors: [
      ...noOrder,
      errors.notPossibleNow('The order is PENDING: it has no eSIM'),
      errors.notPossibleNow(refusals[change]),
      errors.notPossibleNow('The eSIM is EXPIRED: that is final'),
    ],
  };
  return [`POST /api/v1/sandbox/esims/:order_id/${change}`, operation];
}

export const sandboxOperations: Operations = {
  'GET /api/v1/sandbox/scenarios': {
    id: 'listSandboxScenarios',
    tag,
    summary: 'List scenarios',
    answers: { 200: json('All of them.', listOf(scenario)) },
  },
  'POST /api/v1/sandbox/wallets/:id/fund': {
    id: 'fundSandboxWallet',
    tag,
    summary: 'Credit play money',
    description: 'Credited each time it is called.',
    path: { id: id('The wallet.', 1) },
    body: { schema: fundBody, title: 'SandboxFunds', example: { amount: 100 } },
    answers: { 200: json('The wallet as it is now.', wallet) },
    errors: [
      errors.badRequest('Invalid wallet ID'),
      errors.notFound('Wallet'),
      errors.validation('amount has more than 2 decimals (USD)'),
      errors.notPossibleNow('Wallet 1 is closed'),
    ],
  },
  ...Object.fromEntries(profileChanges.map(changeOf)),
  'POST /api/v1/sandbox/orders/:id/cancel': {
    id: 'cancelSandboxOrder',
    tag,
    summary: 'Call an order off',
    description:
      'As an operator would. A 503 says that nobody answered in 20 seconds: it may still come to pass.',
    path: { id: order },
    answers: {
      200: json('The order as it stands now.', { anyOf: [voucherOrder, topupOrder, esimOrder] }),
    },
    errors: [
      ...noOrder,
      errors.invalidFeature(),
      errors.notPossibleNow('The order is DELIVERED: that is final'),
      errors.notPossibleNow('Too late: the purchase was sent'),
    ],
  },
};
