/** A call that the client receives, as an OpenAPI object: the operation of a webhook or of a callback. */
import { exampleOf, type Schema } from './schema';

const signature = Object.entries({
  'webhook-id': ['The `id` of the event, the same in every attempt.', '^evt_[0-9a-f]{32}$'],
  'webhook-timestamp': ['When this attempt was sent (Unix time in seconds).', '^\\d+$'],
  'webhook-signature': ['Signatures, separated by spaces. One valid signature is enough.', '^v1,'],
}).map(([name, [description, pattern]]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
}));

/** `schema`: has a title, which names the operation. `recorded`: an event as it was sent. */
export function receivedObject(summary: string, schema: Schema, recorded?: object): Record<string, unknown> {
  return {
    operationId: `on${schema.title ?? ''}`,
    summary,
    description: 'Signed as Standard Webhooks specifies, and sent at least once.',
    // The signature authenticates the service; you need no token.
    security: [],
    parameters: signature,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: recorded ?? exampleOf(schema) } },
    },
    responses: { '2XX': { description: 'You have received the event. Respond within 15 seconds.' } },
  };
}
