/** The OpenAPI 3.1 document: every operation that clients can call, and the events they are sent. */
import { events } from '../webhooks/event-schemas';
import { errorSchema } from './error-answers';
import { withNamedSchemas } from './named-schemas';
import type { Operations } from './operation';
import { operationObject, sharedObjects, type Node } from './operation-object';
import { tags } from './tags';
import { webhookObject } from './webhook-object';

const about = `Sells gift vouchers, top-ups and eSIM data plans to API clients, paid from prepaid wallets.

Log in at \`POST /auth/login\` and send the access token with every other call. A create is answered 200 whatever became of
the order: branch on \`status\`. Every error has the envelope \`Error\`: branch on its \`code\`.

Any request can also be answered 400 \`BAD_REQUEST\` (it is no HTTP, or its path does not decode), 404 \`NOT_FOUND\` (\`Path
not found\`), 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`, 408 \`REQUEST_TIMEOUT\` and 431 \`HEADERS_TOO_LARGE\` before it reaches an
operation. \`HEAD\` is answered as \`GET\`, without the body. Query parameters and keys of bodies that are not named here are
ignored. Keys may be added to answers and events without notice.`;

/** The document of the operations. */
export function openApiDocument(operations: Operations): Node {
  return withNamedSchemas({
    openapi: '3.1.1',
    info: { title: 'Digital Goods Ordering Service', version: '1', description: about },
    servers: [{ url: '/', description: 'This stack' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: pathsObject(operations),
    webhooks: Object.fromEntries(events.map((event) => [event.type, webhookObject(event)])),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `access_token` of a login or refresh, valid for an hour.',
        },
      },
      ...sharedObjects(),
      schemas: { Error: errorSchema },
    },
  });
}

function pathsObject(operations: Operations): Node {
  const paths: Record<string, Node> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = route.split(' ');
    const template = path.replace(/:(\w+)/g, '{$1}');
    (paths[template] ??= {})[method.toLowerCase()] = operationObject(method, path, operation);
  }
  return paths;
}
