/** The statements of wallets and orders as lines, and lines as CSV. docs/specification.md#statements. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { StatedOrder } from '../data/orders/order-statement';
import type { Period, Statement } from '../data/wallets/wallet-statement';

export const walletColumns = [
  'at',
  'kind',
  'type',
  'amount',
  'balance',
  'order_id',
  'transaction_id',
  'reference',
  'remarks',
] as const;

export type WalletLine = Record<(typeof walletColumns)[number], string | number | null>;

const noEntry = { type: '', amount: '', order_id: null, transaction_id: null, reference: '', remarks: '' };

/** The opening balance, the entries and the closing balance, read on demand. A file with CLOSING is complete. */
export async function* walletLines(statement: Statement, { from, to }: Period): AsyncGenerator<WalletLine> {
  const { openingBalance, closingBalance } = statement;
  yield { ...noEntry, at: from.toISOString(), kind: 'OPENING', balance: openingBalance };
  for await (const entry of statement.entries()) {
    const { at, kind, type, amount, balanceAfter: balance, orderId, id, reference, remarks } = entry;
    const references = { order_id: orderId, transaction_id: id, reference, remarks };
    yield { at: at.toISOString(), kind, type, amount, balance, ...references };
  }
  yield { ...noEntry, at: to.toISOString(), kind: 'CLOSING', balance: closingBalance };
}

/** The columns of orders, in this sequence, with their values. */
const valuesOfOrder = {
  line: () => 'ORDER',
  placed_at: ({ placedAt }) => placedAt.toISOString(),
  family: ({ family }) => family,
  id: ({ id }) => id,
  client_reference: ({ clientReference }) => clientReference,
  product_id: ({ productId }) => productId,
  product: ({ product }) => product,
  quantity: ({ quantity }) => quantity,
  delivered_quantity: ({ deliveredQuantity }) => deliveredQuantity,
  status: ({ status }) => status,
  failure_code: ({ failureCode }) => failureCode,
  wallet_id: ({ walletId }) => walletId,
  charged_amount: ({ charged }) => charged,
  charged_currency: ({ currency }) => currency,
  refunded_amount: ({ refunded }) => refunded,
  transaction_id: ({ transactionId }) => transactionId,
  refund_transaction_id: ({ refundTransactionId }) => refundTransactionId,
  completed_at: ({ completedAt }) => completedAt?.toISOString() ?? null,
  replaces_order_id: ({ replacesOrderId }) => replacesOrderId,
  replaces_unit: ({ replacesUnit }) => replacesUnit,
} satisfies Readonly<Record<string, (order: StatedOrder) => string | number | null>>;

export const orderColumns = Object.keys(valuesOfOrder);

/** A line for each order, read on demand, then END with the end of the period as `placed_at`. A file with END is complete. */
export async function* orderLines(orders: AsyncIterable<StatedOrder>, { to }: Period): AsyncGenerator<object> {
  for await (const order of orders) {
    yield Object.fromEntries(Object.entries(valuesOfOrder).map(([name, valueOf]) => [name, valueOf(order)]));
  }
  yield { line: 'END', placed_at: to.toISOString() };
}

/** Lines that are formatted in one turn of the event loop, so that a long statement does not block other requests. */
const LINES_PER_TURN = 250;

/**
 * The beginning of a text that a spreadsheet would read as a formula, also in full-width characters, or of one with an apostrophe. A
 * number below 0 is no formula.
 */
const beginsFormula = /^(?!-\d+(\.\d+)?$)[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20']/;

/** A text without its first apostrophe is the original text. */
const asText = (text: string): string => (beginsFormula.test(text) ? `'${text}` : text);

/**
 * CSV with a header line, in chunks made on demand. An apostrophe precedes text that a spreadsheet would read as a formula, and text
 * that begins with an apostrophe, so that a reader can remove it. Text with a semicolon is quoted: some spreadsheets split at it. A flag
 * is `true` or `false`.
 */
export async function* csvText(
  columns: readonly string[],
  lines: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<string, void> {
  const text = (batch: object[], header: boolean) =>
    stringify(batch, { header, columns: [...columns], cast: { string: asText, boolean: String }, quoted_match: ';' });
  let isFirst = true;
  let batch: object[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < LINES_PER_TURN) continue;
    yield text(batch, isFirst);
    isFirst = false;
    batch = [];
    await nextTurn();
  }
  yield text(batch, isFirst);
}
