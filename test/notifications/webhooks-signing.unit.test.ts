import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from '../../src/notifications/webhooks/signing';

const id = 'evt_0123456789abcdef0123456789abcdef';
const body = JSON.stringify({ id, type: 'order.delivered', data: { product_name: 'Ünïcode 🎁 卡' } });

describe('webhook signatures', () => {
  test('When a body is signed, then the official library verifies it', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders([secret], id, new Date(), body);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(headers['webhook-id']).toBe(id);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  test('When a secret was rotated, then the new and the old secret verify, and no other', () => {
    const [fresh, old, stranger] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const headers = signatureHeaders([fresh, old], id, new Date(), body);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [fresh, old]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(stranger).verify(body, headers)).toThrow('No matching signature found');
  });

  test('When body, id or time differ, then nothing verifies', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders([secret], id, new Date(), body);
    const webhook = new Webhook(secret);
    expect(() => webhook.verify(`${body} `, headers)).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'evt_other' })).toThrow();
    const old = signatureHeaders([secret], id, new Date(Date.now() - 6 * 60_000), body);
    expect(() => webhook.verify(body, old)).toThrow('Message timestamp too old');
  });

  test('When secrets are created, then each has 32 unique bytes in base64', () => {
    const secrets = Array.from({ length: 10 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(10);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
