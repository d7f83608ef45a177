/** `orders`: commands that find, show and resolve orders. */
import { text as readAll } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import { findOrderReport, listOrdersWithAttention } from '../../data/operations/operator-reads';
import { creditDeferredRefund } from '../../data/orders/settle-order';
import { listRawResponses } from '../../data/purchases/purchase-polls';
import { orderWorkflowId } from '../../domain/orders/order-ids';
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import { supplierResponse, Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { reasoned } from '../confirmation';
import { orderText } from '../order-report';
import { jsonText, wantsJson } from '../output';
import { keysOf, onDatabase, type Session } from '../session';
import { addDecisionCommands } from './order-decisions';
import { findOrders, type OperatorOrderFilter } from '../../data/orders/order-search';
import { failureCodes, type FailureCode } from '../../domain/orders/failure-codes';
import type { Family } from '../../domain/orders/families';
import { isIccid, normalIccid } from '../../domain/esims/profile-codes';
import { comparableEmail, comparablePhone } from '../../domain/orders/customer-input';
import { isEmailAddress } from '../../notifications/mail/address';

export function addOrderCommands(program: Command): void {
  const orders = program.command('orders').description('Orders of all clients');
  addFind(orders);

  orders
    .command('attention')
    .description('Orders that wait for an operator, oldest first')
    .action(onDatabase(({ database }) => listOrdersWithAttention(database)));

  addShow(orders);
  addDecisionCommands(orders);

  reasoned(orders.command('refund'))
    .description('Credit a refund that was due while the wallet was closed. Reopen the wallet first')
    .argument('<order>', 'id', read.positiveInteger)
    .action(
      onDatabase(
        async ({ database }, orderId: number) =>
          `Order ${orderId}: ${await creditDeferredRefund(database, orderId)} credited`,
      ),
    );
}

function addShow(orders: Command): void {
  orders
    .command('show')
    .description(
      'An order with its ledger entries and purchases; with --json, all their columns. Codes and addresses stay sealed. Raw supplier responses are ' +
        'opened: they may repeat customer input',
    )
    .argument('<order>', 'id', read.positiveInteger)
    .action(
      onDatabase(async (session, orderId: number) => {
        const found = await findOrderReport(session.database, orderId);
        if (!found) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
        const workflowId = orderWorkflowId(orderId, found.nonce);
        const responses = await openRawResponses(session, orderId);
        return wantsJson(session.command)
          ? jsonText({ workflow_id: workflowId, ...found.report, supplier_said: responses })
          : orderText(workflowId, found.report, responses);
      }),
    );
}

/** The raw supplier responses about the order. `words`: the text; null if the available keys cannot decrypt it. */
async function openRawResponses(session: Session, orderId: number) {
  const { database } = session;
  const responses = await listRawResponses(database, orderId);
  if (responses.length === 0) return [];
  // A response may repeat customer input, so the audit log records who reads it before it is shown.
  await recordOperation(database, { action: 'supplier_words.read', object: `order/${orderId}` });
  const sealer = new Sealer(await keysOf(session));
  return responses.map(({ reference, sealed, at }) => ({
    reference,
    at,
    words: sealer.openForView(supplierResponse(reference), sealed),
  }));
}

interface FindOptions {
  reference?: string;
  client?: string;
  status?: OrderStatus[];
  family?: Family;
  supplier?: string;
  product?: number;
  failure?: FailureCode;
  recipient?: Recipient;
  voucherCode?: boolean;
  supplierOrder?: string;
  key?: string;
  since?: Date;
  until?: Date;
  limit: number;
}

interface Recipient {
  kind: 'email' | 'phone' | 'iccid';
  /** The normalised form, which is hashed for the search. */
  text: string;
}

function addFind(orders: Command): void {
  orders
    .command('find')
    .description('Orders that match all options, newest first')
    .option('--reference <text>', 'the complete client_reference')
    .option('--client <client>', 'id, name or API key')
    .option(
      '--status <list>',
      'one or more of pending, partially_delivered, delivered, failed, cancelled',
      readStatuses,
    )
    .option('--family <family>', 'vouchers, topups or esim', read.family)
    .option('--supplier <name>', 'the supplier that the order is bought from')
    .option('--product <id>', 'id, within the family of --family', read.positiveInteger)
    .option('--failure <code>', 'failure code, such as PRODUCT_OUT_OF_STOCK', readFailureCode)
    .option(
      '--recipient <text>',
      'e-mail address, phone number or ICCID, found by its keyed hash',
      readRecipient,
    )
    .option(
      '--voucher-code',
      'the order of a code or claim URL, which the command reads from standard input and finds by its keyed hash',
    )
    .option('--supplier-order <id>', "the supplier's id of a purchase, or our reference of it")
    .option('--key <key>', 'placed with this API key in the last 30 days')
    .option('--since <time>', 'placed since this time, or in the last 90m, 12h, 1d', read.timeOrAge)
    .option('--until <time>', 'placed before this time', read.timeOrAge)
    .option('--limit <n>', 'maximum number of orders', read.positiveInteger, 50)
    .action(
      onDatabase(async (session, options: FindOptions) =>
        findOrders(session.database, await filterOf(session, options), options.limit),
      ),
    );
}

async function filterOf(session: Session, options: FindOptions): Promise<OperatorOrderFilter> {
  const { client, reference, status, family, supplier, product, failure, since, until, recipient } = options;
  const { voucherCode, supplierOrder, key } = options;
  if (product !== undefined && !family)
    throw new Error('Name the family of the product: --family vouchers, topups or esim');
  return {
    clientId: client === undefined ? undefined : (await read.clientNamed(session.database, client)).id,
    clientReference: reference,
    statuses: status,
    family,
    supplier,
    productId: product,
    failureCode: failure,
    since,
    until,
    recipient: recipient && { kind: recipient.kind, hashes: await hashesOf(session, recipient.text) },
    codeHashes: voucherCode ? await hashesOf(session, await readCode()) : undefined,
    supplierOrder,
    apiKey: key,
  };
}

async function hashesOf(session: Session, text: string): Promise<Buffer[]> {
  return new Sealer(await keysOf(session)).lookupHashes(text);
}

/** The code on standard input. It is no argument, because shells and process lists keep arguments. */
async function readCode(): Promise<string> {
  if (process.stdin.isTTY) console.error('Enter the code or claim URL, then press Ctrl-D:');
  const code = (await readAll(process.stdin)).trim();
  if (code === '') throw new Error('Give the code on standard input.');
  return code;
}

function readStatuses(text: string): OrderStatus[] {
  const names = read.list(text).map((name) => name.toUpperCase().replace(/-/g, '_'));
  const known = orderStatuses.filter((status) => names.includes(status));
  if (known.length === 0 || known.length < new Set(names).size) {
    throw new InvalidArgumentError(
      `Give one or more of ${orderStatuses.join(', ').toLowerCase()}, separated by commas.`,
    );
  }
  return known;
}

function readFailureCode(text: string): FailureCode {
  const known = failureCodes.find((code) => code === text.toUpperCase());
  if (!known) throw new InvalidArgumentError(`Give one of ${failureCodes.join(', ')}.`);
  return known;
}

/** An ICCID has 18 to 20 digits (ITU-T E.118), more than any phone number. */
function readRecipient(text: string): Recipient {
  if (isEmailAddress(text.trim())) return { kind: 'email', text: comparableEmail(text) };
  const iccid = normalIccid(text.replace(/[\s-]/g, ''));
  if (isIccid(iccid, { isTest: true })) return { kind: 'iccid', text: iccid };
  const phone = comparablePhone(text);
  if (phone === undefined)
    throw new InvalidArgumentError('Give an e-mail address, a phone number or an ICCID.');
  return { kind: 'phone', text: phone };
}
