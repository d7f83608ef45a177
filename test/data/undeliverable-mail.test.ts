/** An order whose mail could not be sent is on the attention list until the mail is sent. */
import { attentionOf } from '../../src/data/attention/attention';
import { sql } from '../../dev/testbed/sql';
import { markMailed, reportUndeliverable } from '../../src/data/orders/order-mails';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

/** An order that has ended, with an address or without. */
async function endedOrder(sealedEmail: Buffer | null): Promise<number> {
  const { orderId } = await placedOrder(database, 'ESIM');
  await sql(database)`UPDATE orders
       SET status = 'FAILED', completed_at = now(), sealed_email = ${sealedEmail} WHERE id = ${orderId}`;
  return orderId;
}

test('When a mail is undeliverable, then its order is listed once, until the mail is sent', async () => {
  const orderId = await endedOrder(Buffer.from('sealed'));
  for (const _ of [1, 2]) await reportUndeliverable(database, orderId);
  expect(await attentionOf(database, orderId)).toBe('The notification mail could not be sent');
  await markMailed(database, orderId, new Date());
  expect(await attentionOf(database, orderId)).toBeNull();
});

test('When the mail was sent, or none is due, then the order is not listed', async () => {
  const [mailed, unaddressed] = [await endedOrder(Buffer.from('sealed')), await endedOrder(null)];
  await markMailed(database, mailed, new Date());
  for (const orderId of [mailed, unaddressed]) {
    await reportUndeliverable(database, orderId);
    expect(await attentionOf(database, orderId)).toBeNull();
  }
});
