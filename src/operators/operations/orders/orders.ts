/** `orders`: all orders. */
import { recordOperation } from '../../../data/audit/audit-entries';
import { listOrdersWithAttention, orderWithAttentionColumns } from '../../../data/attention/orders-with-attention';
import { findOrderReport } from '../../../data/orders/operator-reads';
import { listRawResponses } from '../../../data/purchases/purchase-polls';
import { isAmong, recipientReaders } from '../../../domain/operators/roles';
import { orderWorkflowId } from '../../../domain/orders/order-ids';
import { Sealer, supplierResponse } from '../../../security/sealing';
import { word } from '../arguments';
import type { Context } from '../context';
import { id } from '../kinds';
import { everyRole, operation } from '../operation';
import { withOpenedReport } from '../order-texts';
import { card } from './card';
import { decisionOperations } from './decisions';
import { find } from './find';
import { readPriceReport } from './money-report';
import { orderText } from './order-report';
import { refund, refundable } from './refunds';
import { reveal } from './reveal';
import { story } from './story';
import { kindsOf } from '../../../domain/row-columns';

const order = word(id, 'id');

const listAttention = operation({
  name: 'orders attention',
  button: 'Show what waits',
  about: 'Orders that wait for an operator, oldest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {},
  columns: kindsOf(orderWithAttentionColumns),
  run: ({ database }) => listOrdersWithAttention(database),
});

const show = operation({
  name: 'orders show',
  button: 'Show all data',
  about:
    'An order with its ledger entries and purchases. Codes and addresses stay sealed. Raw supplier responses are opened for support: they may ' +
    'repeat customer input',
  inTerminal:
    'An order with its ledger entries and purchases; with --json, all their columns. Codes and addresses stay sealed. Raw supplier responses are ' +
    'opened for support: they may repeat customer input',
  roles: everyRole,
  effect: 'reads',
  arguments: { order },
  async run(context, { order: orderId }) {
    const found = await findOrderReport(context.database, orderId);
    if (!found) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
    const mayReadRecipients = isAmong(recipientReaders, context.role);
    const responses = mayReadRecipients ? await openRawResponses(context, orderId) : [];
    return {
      workflow_id: orderWorkflowId(orderId, found.nonce),
      price: await readPriceReport(context.database, orderId),
      ...(await withOpenedReport(context, found.report)),
      supplier_said: responses,
    };
  },
  text: orderText,
});

/** The raw supplier responses about the order. `words`: the text; null if the available keys cannot decrypt it. */
async function openRawResponses(context: Context, orderId: number) {
  const { database } = context;
  const responses = await listRawResponses(database, orderId);
  if (responses.length === 0) return [];
  // A response may repeat customer input, so the audit log records who reads it before it is shown.
  await recordOperation(database, { action: 'supplier_words.read', object: `order/${orderId}` });
  const sealer = new Sealer(await context.keyRing());
  return responses.map(({ reference, sealed, at }) => ({
    reference,
    at,
    words: sealer.openForView(supplierResponse(reference), sealed),
  }));
}

export const orderOperations = [
  find,
  card,
  listAttention,
  show,
  story,
  reveal,
  ...decisionOperations,
  refundable,
  refund,
];
