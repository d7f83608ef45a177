/** An order for people, in sections that fit the page. `orders show --json` has every column. */
import type { OrderReport } from '../../../data/orders/operator-reads';
import type { Page, Plain } from '../operation';
import { table, wrapped } from '../text';
import { priceText, type PriceReport } from './money-report';

/** An order with its workflow, and with the newest raw response of a supplier about each purchase. */
export interface ShownOrder extends OrderReport {
  workflow_id: string;
  price: PriceReport;
  /** `words`: null if the available keys cannot decrypt it. */
  supplier_said: { reference: string; at: Date; words: string | null }[];
}

/** The order as text: state, origin, attention, ledger, refunds, purchases, quarantined goods, supplier responses, events. */
export function orderText(order: Plain<ShownOrder>, { columns, tableColumns }: Page): string {
  const { attention, purchases } = order;
  const lines = [
    ...headingOf(order),
    ...attention.map(({ kind, reason, since }) => `Needs attention since ${since}: ${kind}: ${reason}`),
  ];
  const responses = order.supplier_said.map(
    ({ at, reference, words }) =>
      `Supplier response of ${at} to ${reference}: ${words ?? 'sealed by a key that is not available'}`,
  );
  return [
    ...lines.map((line) => wrapped(line, columns)),
    ...purchases.flatMap((purchase) => purchaseLines(purchase, columns)),
    ...responses.map((line) => wrapped(line, columns)),
    ...sectionsOf(order)
      .filter(([, rows]) => rows.length > 0)
      .map(([name, rows]) => `${name}\n${table(rows, tableColumns)}`),
  ].join('\n');
}

function sectionsOf({
  refunds,
  transactions,
  quarantined_goods: quarantined,
  events,
}: Plain<ShownOrder>): [string, readonly object[]][] {
  return [
    [
      'Ledger',
      transactions.map(({ created_at: at, kind, transaction_type: type, amount, balance_after: balance }) => ({
        at,
        kind,
        type,
        amount,
        balance,
      })),
    ],
    [
      'Refunds after delivery',
      refunds.map(({ number, created_at: at, amount, units, unit, reason_code: why, ...refund }) => ({
        number,
        at,
        amount,
        units: unit === null ? units : `unit ${unit}`,
        why,
        by: refund.operator,
        note: refund.note,
        credited: refund.transaction_id === null ? 'waits' : refund.transaction_id,
      })),
    ],
    [
      'Quarantined goods',
      quarantined.map(({ reference, position, reason, defect }) => ({ reference, position, reason, defect })),
    ],
    ['Events', events.map(({ created_at: at, type }) => ({ at, type }))],
  ];
}

function headingOf(order: Plain<ShownOrder>): string[] {
  const { id, status, delivered_quantity: delivered, quantity, product_name: product, family, client } = order;
  const mailed = order.mailed_at ?? (order.mail_given_up_at === null ? '-' : 'given up');
  const lines = [
    `Order ${id} is ${status}: ${delivered} of ${quantity} units of ${product} (${family}) delivered`,
    ...priceText(order.price),
    `Client: ${client} (${order.client_id}), reference ${order.client_reference ?? '-'}`,
    `API key: ${order.api_key ?? '-'}, request ${order.request_id ?? '-'}`,
    `Placed: ${order.placed_at}, completed ${order.completed_at ?? '-'}, mailed ${mailed}`,
    `Workflow: ${order.workflow_id}`,
    ...order.sources.map(({ supplier, sku, why }) => `Source: ${supplier}, ${sku}: ${why}`),
  ];
  if (order.replaces_order_id !== null)
    lines.push(`Replaces unit ${order.replaces_unit} of order ${order.replaces_order_id}`);
  if (order.replacement_count > 0) lines.push(`Replacements of its units: ${order.replacement_count}`);
  if (order.recharges_order_id !== null) lines.push(`Recharges the eSIM of order ${order.recharges_order_id}`);
  if (order.recharge_order_ids.length > 0) lines.push(`Recharged by orders ${order.recharge_order_ids.join(', ')}`);
  if (order.earned) lines.push(earnedLine(order.earned, order.deduction_currency));
  if (order.erased_at !== null) lines.push(`Recipient: erased ${order.erased_at}`);
  if (order.failure_code !== null) lines.push(`Failure: ${order.failure_code}`);
  return lines;
}

function earnedLine(earned: NonNullable<OrderReport['earned']>, currency: string): string {
  const { sold, cost, margin, currency_difference: difference } = earned;
  return `Earned in ${currency}: sold ${sold}, cost ${cost ?? '-'}, margin ${margin ?? '-'}, currency difference ${difference ?? '-'}`;
}

function purchaseLines(purchase: OrderReport['purchases'][number], columns: number): string[] {
  const { reference, supplier, sku, state, units, stored, supplier_order_id: supplierId } = purchase;
  const { attempt, cost, cost_currency: currency, failure_code: code } = purchase;
  const parts = [
    `attempt ${attempt}`,
    `${stored} of ${units} units stored`,
    supplierId !== null && `supplier's id ${supplierId}`,
    cost !== null && `cost ${cost} ${currency}`,
    code,
  ];
  return [
    wrapped(`Purchase ${reference}: ${state} at ${supplier}, ${sku}`, columns),
    wrapped(parts.filter((part) => part !== null && part !== false).join(', '), columns, 2),
  ];
}
