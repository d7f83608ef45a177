/** The largest order there is, and orders of one while it is on its way. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile, timed } from './figures';
import type { OrderClient } from './order-client';

const QUANTITY = 5_000;
const TARGET_SECONDS = 10;
const PATIENCE_MS = 120_000;

export async function bulkOrder(orders: OrderClient): Promise<void> {
  const reference = randomUUID();
  let isDelivered = false;
  let id = 0;
  const delivery = timed(async () => {
    const body = { denomination: 5, quantity: QUANTITY, client_reference: reference };
    ({ id } = await orders.order(body));
    await delivered(orders, reference);
    isDelivered = true;
  });
  const small: number[] = [];
  const meanwhile = async () => {
    while (!isDelivered) small.push(await timed(() => orders.orderOne()));
  };
  const [milliseconds] = await Promise.all([delivery, meanwhile()]);
  await checkVouchers(orders, id);

  const seconds = milliseconds / 1_000;
  console.log(`\nAn order of ${QUANTITY.toLocaleString('en')} vouchers, and orders of one meanwhile`);
  console.log(
    `  delivered after    ${seconds.toFixed(1)} s (target below ${TARGET_SECONDS}): ${seconds < TARGET_SECONDS ? 'met' : 'MISSED'}`,
  );
  console.log(
    `  orders of one      ${small.length}, median ${median(small).toFixed(1)} ms, 95 % below ${quantile(small, 0.95).toFixed(1)} ms`,
  );
}

async function delivered(orders: OrderClient, reference: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while ((await orders.statusOf(reference)) !== 'DELIVERED') {
    if (Date.now() > deadline) throw new Error(`The large order is not delivered after ${PATIENCE_MS} ms.`);
    await sleep(50);
  }
}

async function checkVouchers(orders: OrderClient, id: number): Promise<void> {
  const { vouchers } = await orders.read(id);
  const distinct = new Set(vouchers.map((voucher) => voucher.card_number)).size;
  if (distinct !== QUANTITY) throw new Error(`${distinct} vouchers instead of ${QUANTITY}.`);
}
