/** `dgo orders list` and `dgo orders get`. */
import type { DigitalGoods } from '../client.ts';
import { familyNamed, findOrder, ordersOf, type AnyOrder } from './families.ts';
import { jsonText, printable } from './printable.ts';
import { Problem } from './problem.ts';

export interface ListOptions {
  family?: string | undefined;
  status?: string | undefined;
  limit?: string | undefined;
}

/** The newest orders of a family, one per line. */
export async function listOrders(client: DigitalGoods, options: ListOptions): Promise<string> {
  const { family = 'voucher', status, limit = '20' } = options;
  const count = positive(limit, '--limit');
  const orders = ordersOf(client, familyNamed(family));
  const rows: AnyOrder[] = [];
  for await (const order of orders.list({ ...(status !== undefined && { status }) })) {
    rows.push(order);
    if (rows.length === count) break;
  }
  if (rows.length === 0) return 'No orders.';
  return table([['id', 'status', 'placed', 'product', 'reference'], ...rows.map(cells)]);
}

/** The order as JSON. */
export async function getOrder(client: DigitalGoods, id: string): Promise<string> {
  return jsonText(await findOrder(client, positive(id, 'The id of the order')));
}

function positive(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Problem(`${what} must be a whole number above 0, not ${text}.`);
  return Number(text);
}

function cells({ id, status, placed_at, created_at, product_name, client_reference }: AnyOrder): string[] {
  const texts = [status, placed_at ?? created_at ?? '', product_name ?? '', client_reference ?? ''];
  return [String(id), ...texts.map((text) => printable(text.replace(/[\t\n\r]+/g, ' ')))];
}

/** Columns of equal width. */
function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
