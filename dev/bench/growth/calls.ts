/** The reads and commands whose cost may grow. */
import { marginDimensions } from '../../../src/data/orders/margin-report';
import type { Side } from './side';

/** Reads of the measured client, by their name in the report. Orders one of each family, so that there is one to read. */
export async function readsOf(side: Side): Promise<Map<string, string>> {
  for (const scenario of ['voucher_instant', 'topup_instant', 'esim_instant']) await side.client.order(scenario);
  const one = (statement: string) => side.number(statement);
  const order = (family: string) =>
    one(`SELECT max(id) FROM orders WHERE client_id = ${side.clientId} AND family = '${family}'`);
  const [voucher, topup, esim] = [await order('VOUCHER'), await order('TOPUP'), await order('ESIM')];
  const event = 'SELECT id FROM events WHERE client_id = $1 ORDER BY sequence DESC LIMIT 1';
  const { rows } = await side.database.query<{ id: string }>(event, [side.clientId]);
  return new Map([
    ['products', 'products?per_page=50'],
    ['products ?search= (few)', 'products?search=coffee'],
    ['products ?search= (none)', 'products?search=nothing-has-this'],
    ['products/{id}', `products/${side.productOf('voucher_instant')}`],
    ['topups/products', 'topups/products?per_page=50'],
    ['topups/products ?search=', 'topups/products?search=liberty'],
    ['topups/products/{id}/variants', `topups/products/${side.productOf('topup_instant')}/variants`],
    ['topups/mobile-lookup', 'topups/mobile-lookup?number=12025550100'],
    ['esim/products', 'esim/products?per_page=50'],
    ['esim/products/{id}/variants', `esim/products/${side.productOf('esim_instant')}/variants`],
    ['orders', 'orders?per_page=50'],
    ['orders ?status=', 'orders?status=FAILED'],
    ['orders ?client_reference=', 'orders?client_reference=voucher_instant-77'],
    ['orders/{id}', `orders/${voucher}`],
    ['topups/orders', 'topups/orders?per_page=50'],
    ['topups/orders ?product_id=', 'topups/orders?product_id=5'],
    ['topups/orders ?country=', 'topups/orders?country=FRA'],
    ['topups/orders/{id}', `topups/orders/${topup}`],
    ['esim/orders', 'esim/orders?per_page=50'],
    ['esim/orders/{id}', `esim/orders/${esim}`],
    ['wallets', 'wallets'],
    ['transactions', 'transactions?per_page=50'],
    ['transactions ?wallet_id=', `transactions?wallet_id=${side.walletId}`],
    ['webhooks/endpoints', 'webhooks/endpoints'],
    ['webhooks/events', 'webhooks/events?per_page=50'],
    ['webhooks/events ?type=', 'webhooks/events?type=order.delivered'],
    ['webhooks/events/{id}', `webhooks/events/${rows[0]?.id}`],
    ['countries', 'countries'],
    ['price-list', 'price-list?limit=90'],
    ['activity', 'activity?per_page=50'],
  ]);
}

/** What the pages of the back office call when they open, with the arguments that they give. */
export async function pageCallsOf(side: Side): Promise<(readonly [operation: string, args: object])[]> {
  const { clientId: client } = side;
  const order = await side.number(`SELECT max(id) FROM orders WHERE client_id = ${client}`);
  const product = await side.number("SELECT id FROM voucher_products WHERE supplier_sku = 'SIM-GC-COFFEE-US'");
  const [limit, family] = [50, 'vouchers'];
  const month = new Date().toISOString().slice(0, 7);
  return [
    ['today', {}],
    ['search', { value: String(order) }],
    ['search', { value: 'voucher_instant-77' }],
    ['search', { value: '12025550100' }],
    ['orders find', { limit }],
    ['orders find', { limit, client, status: 'FAILED' }],
    ['orders story', { order }],
    ['orders show', { order }],
    ['attention', {}],
    ['approvals list', { limit }],
    ['claims list', { limit }],
    ['clients list', { limit }],
    ['clients overview', { client }],
    ['wallets list', { limit }],
    ['webhooks failing', {}],
    ['catalogue review', { limit }],
    ['products list', { limit }],
    ['products show', { family, product }],
    ['suppliers list', {}],
    ['suppliers show', { name: 'simulator' }],
    ['reconcile differences', {}],
    ...[undefined, ...marginDimensions].map((by) => ['reports margin', { month, by }] as const),
    ['reports sales', { from: '30d' }],
    ['reports sales', { from: '90d', by: 'month', client }],
    ['reports day', {}],
    ['reports suppliers', { over: 'day' }],
    ['reports suppliers', { over: 'month' }],
    ['books show', {}],
    ['bank entries', { limit }],
    ['funding list', { limit }],
    ['maintenance list', {}],
    ['people list', {}],
    ['audit list', { limit }],
    ['audit list', { limit, command: 'orders retry' }],
    ['audit list', { limit, object: 'webhook_endpoint' }],
  ];
}

/** What operators have typed into the search field at some keystrokes: beginnings that match many rows, few and none. */
export const typedBeginnings = ['#1', '12', 'v', 'vo', 'voucher_i', 'cof', 'ann@', 'nothing-has-this'];
