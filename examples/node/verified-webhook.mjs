/** An order whose final event arrives by webhook: a receiver, an endpoint for it, and one verified event. */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@digital-goods/client';
import { account } from './account.mjs';

const client = account();

const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  try {
    const { secret } = await endpoint;
    // The raw body: after parsing and serialising, the signature would differ.
    const event = verifyWebhook(body, request.headers, secret);
    response.writeHead(204).end();
    receiver.emit(event.type, event);
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');

const endpoint = client.webhooks.endpoints.create({
  url: `http://127.0.0.1:${receiver.address().port}/`,
  event_types: ['order.delivered'],
});
const { id } = await endpoint;
try {
  const delivered = once(receiver, 'order.delivered');
  const scenarios = await client.sandbox.scenarios();
  const { body } = scenarios.find(({ name }) => name === 'voucher_delayed');
  const order = await client.vouchers.orders.create(body);
  console.log(`Order ${order.id} is ${order.status}`);

  const [event] = await delivered;
  console.log(`Verified: ${event.type} of order ${event.data.id}, ${event.data.delivered_quantity} delivered`);
} finally {
  await client.webhooks.endpoints.delete(id);
  receiver.close();
}
