/** An order for people, in sections that fit the terminal. `orders show --json` has every column. */
import type { OrderReport } from '../data/operations/operator-reads';
import { table, wrapped } from './output';

/** The newest raw response of a supplier about one purchase. */
export interface OpenedSupplierResponse {
  reference: string;
  at: Date;
  /** Null if the available keys cannot decrypt it. */
  words: string | null;
}

/** The order as text: state, origin, attention, ledger, purchases, quarantined goods, supplier responses, events. */
export function orderText(
  workflowId: string,
  report: OrderReport,
  responses: readonly OpenedSupplierResponse[],
): string {
  const { attention, transactions, purchases, quarantined_goods: quarantined, events } = report;
  const sections: [string, readonly object[]][] = [
    [
      'Ledger',
      transactions.map(
        ({ created_at: at, kind, transaction_type: type, amount, balance_after: balance }) => ({
          at,
          kind,
          type,
          amount,
          balance,
        }),
      ),
    ],
    [
      'Quarantined goods',
      quarantined.map(({ reference, position, reason, defect }) => ({ reference, position, reason, defect })),
    ],
    ['Events', events.map(({ created_at: at, type }) => ({ at, type }))],
  ];
  return [
    ...headingOf(workflowId, report),
    ...attention.map(({ kind, reason, since }) =>
      wrapped(`Needs attention since ${since}: ${kind}: ${reason}`),
    ),
    ...purchases.flatMap(purchaseLines),
    ...responses.map(({ at, reference, words }) =>
      wrapped(
        `Supplier response of ${at.toISOString()} to ${reference}: ${words ?? 'sealed by a key that is not available'}`,
      ),
    ),
    ...sections.filter(([, rows]) => rows.length > 0).map(([name, rows]) => `${name}\n${table(rows)}`),
  ].join('\n');
}

function headingOf(workflowId: string, report: OrderReport): string[] {
  const {
    id,
    status,
    delivered_quantity: delivered,
    quantity,
    product_name: product,
    family,
    client,
  } = report;
  const mailed = report.mailed_at ?? (report.mail_given_up_at === null ? '-' : 'given up');
  const lines = [
    `Order ${id} is ${status}: ${delivered} of ${quantity} units of ${product} (${family}) delivered`,
    `Price: ${report.total_payable} ${report.deduction_currency}`,
    `Client: ${client} (${report.client_id}), reference ${report.client_reference ?? '-'}`,
    `API key: ${report.api_key ?? '-'}, request ${report.request_id ?? '-'}`,
    `Placed: ${report.placed_at}, completed ${report.completed_at ?? '-'}, mailed ${mailed}`,
    `Workflow: ${workflowId}`,
    ...report.sources.map(({ supplier, sku, why }) => `Source: ${supplier}, ${sku}: ${why}`),
  ];
  if (report.earned) lines.push(earnedLine(report.earned, report.deduction_currency));
  if (report.failure_code !== null) lines.push(`Failure: ${report.failure_code}`);
  return lines.map((line) => wrapped(line));
}

function earnedLine(earned: NonNullable<OrderReport['earned']>, currency: string): string {
  const { sold, cost, margin, currency_difference: difference } = earned;
  return `Earned in ${currency}: sold ${sold}, cost ${cost ?? '-'}, margin ${margin ?? '-'}, currency difference ${difference ?? '-'}`;
}

function purchaseLines(purchase: OrderReport['purchases'][number]): string[] {
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
    wrapped(`Purchase ${reference}: ${state} at ${supplier}, ${sku}`),
    wrapped(parts.filter((part) => part !== null && part !== false).join(', '), 2),
  ];
}
