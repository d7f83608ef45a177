/** An event as OpenAPI has it: what an endpoint is sent, and what it answers. docs/clients/webhooks.md#receiving. */
import type { DocumentedEvent } from '../webhooks/event-schemas';
import type { Node } from './operation-object';
import { exampleOf } from './schema';

const signature = Object.entries({
  'webhook-id': ['The `id` of the event, the same at every try.', '^evt_[0-9a-f]{32}$'],
  'webhook-timestamp': ['When this try was sent, in seconds since 1970.', '^\\d+$'],
  'webhook-signature': ['Signatures, separated by spaces: one that fits is enough.', '^v1,'],
}).map(([name, [description, pattern]]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
}));

export function webhookObject({ summary, schema }: DocumentedEvent): Node {
  return {
    post: {
      operationId: `on${schema.title ?? ''}`,
      summary,
      description: 'Signed by the Standard Webhooks specification, and sent at least once.',
      parameters: signature,
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: exampleOf(schema) } },
      },
      responses: { '2XX': { description: 'The event has arrived. It must be answered within 15 seconds.' } },
    },
  };
}
