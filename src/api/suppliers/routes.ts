/** The addresses for callbacks of suppliers. docs/specification.md#supplier-callbacks. */
import type { Request, RequestHandler } from 'express';
import { errors } from '../../domain/errors';
import { boundedBytes } from '../../http/body-limits';
import type { Dependencies } from '../dependencies';
import { text } from '../openapi/schema';
import { sequence } from '../server/dispatch';
import type { ApiRoutes, Route, Routes } from '../server/route';
import { pollAsHinted } from './callbacks-are-hints';

/** A genuine body is far smaller, because it names only one purchase or profile. */
const MAX_BODY_BYTES = 64 * 1024;

/** The received bytes, which the signature covers. */
const rawBody = boundedBytes(MAX_BODY_BYTES);

const supplierName = text('The supplier.', 'simulator');
const pathSecret = text('The secret of this address, for suppliers that sign nothing.', 'c2VjcmV0');

const push = {
  tag: 'Suppliers',
  description:
    'Signed by the supplier, or sent to an address with a secret. Only a hint: the service polls the supplier before anything changes.',
  access: 'signature',
  scope: 'none',
  responses: { 200: { description: 'The hint is accepted.' } },
  errors: [errors.unauthorized('Invalid signature'), errors.invalidBody()],
  handler: (deps: Dependencies) => sequence([rawBody, acceptPush(deps)]),
} as const;

export const supplierRoutes: ApiRoutes = {
  'POST /suppliers/:name/callbacks': {
    ...push,
    id: 'pushFromSupplier',
    summary: 'Report a change, signed',
    path: { name: supplierName },
  },
  'POST /suppliers/:name/callbacks/:secret': {
    ...push,
    id: 'pushToSecretAddress',
    summary: 'Report a change, to a secret address',
    path: { name: supplierName, secret: pathSecret },
  },
};

const probe: Route = { scope: 'none', handler: () => (_request, response) => void response.status(200).end() };

/** Some suppliers test an address with HEAD before they use it. The response is the same for an unknown supplier. */
export const supplierProbes: Routes = {
  'HEAD /suppliers/:name/callbacks': probe,
  'HEAD /suppliers/:name/callbacks/:secret': probe,
};

function acceptPush(deps: Dependencies): RequestHandler {
  return async (request, response) => {
    const supplier = deps.suppliers.get(String(request.params['name']));
    const { secret } = request.params;
    // An unknown name gets the same response as a wrong signature, which hides the names of suppliers.
    const hint = supplier?.verifyPush?.({
      headers: headersOf(request),
      rawBody: bodyOf(request),
      pathSecret: secret === undefined ? undefined : String(secret),
    });
    if (!hint) throw errors.unauthorized('Invalid signature');
    await pollAsHinted(deps, hint);
    response.status(200).end();
  };
}

function headersOf(request: Request): Record<string, string | undefined> {
  const headers = Object.entries(request.headers);
  return Object.fromEntries(headers.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

/** The received bytes. The parser leaves `request.body` undefined if the body is empty. */
function bodyOf(request: Request): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
