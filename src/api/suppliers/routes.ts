/**
 * Pushes of suppliers: signed, and only a hint. The workflow they concern asks the supplier at once
 * instead of at its next turn; nothing else changes. docs/specification.md#supplier-callbacks.
 */
import express, { Router, type Request } from 'express';
import { findOrderByIccid } from '../../data/esims/esim-lifecycle';
import { hastenLateCheck, scheduleReversalCheck } from '../../data/purchases/purchase-polls';
import { errors } from '../../domain/errors';
import { esimWorkflowId, workflowOfPurchase } from '../../domain/orders/orders';
import { retryNow } from '../../ordering/order-workflow';
import type { PushHint } from '../../suppliers/port';
import type { Dependencies } from '../dependencies';
import { boundedBody } from '../middleware/bounded-body';

/** A hint about what a workflow follows. */
type Followed = Exclude<PushHint, { kind: 'reversal' }>;

/** A push names one purchase or profile. */
const MAX_BODY_BYTES = 64 * 1024;

/** The body's bytes as they came, because the signature covers them. */
const rawBody = boundedBody(
  express.raw({ type: () => true, limit: MAX_BODY_BYTES }),
  { maxBytes: MAX_BODY_BYTES },
  (_request, _response, error, next) => next(error),
);

/** POST /:name/callbacks, without a token: the push carries its own proof. */
export function supplierRoutes({ database, sealer, temporal, suppliers }: Dependencies): Router {
  const router = Router();

  router.post('/:name/callbacks', rawBody, async (request, response) => {
    const supplier = suppliers.get(String(request.params.name));
    // A name that is none of ours is told nothing else than a wrong signature: suppliers are our own business.
    const hint = supplier?.verifyPush?.(headersOf(request), bodyOf(request));
    if (!hint) throw errors.unauthorized('Invalid signature');
    if (hint.kind === 'reversal') await scheduleReversalCheck(database, hint.reference);
    else await tell(hint);
    response.status(204).end();
  });

  /** Whoever follows the purchase or profile asks at once. */
  async function tell(hint: Followed): Promise<void> {
    const workflowId = await workflowOf(hint);
    const isHeard = workflowId !== undefined && (await retryNow(temporal, workflowId));
    // Nobody follows the purchase any more: goods that come now are kept apart.
    if (!isHeard && hint.kind === 'purchase') await hastenLateCheck(database, hint.reference);
  }

  async function workflowOf(hint: Followed): Promise<string | undefined> {
    if (hint.kind === 'purchase') return workflowOfPurchase(hint.reference);
    const order = await findOrderByIccid(database, sealer.lookupHashes(hint.iccid));
    return order && esimWorkflowId(order.orderId, order.nonce);
  }

  return router;
}

function headersOf(request: Request): Record<string, string | undefined> {
  const headers = Object.entries(request.headers);
  return Object.fromEntries(
    headers.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** The parser leaves an empty body out. */
function bodyOf(request: Request): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
