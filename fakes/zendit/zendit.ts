/** Zendit as a fake supplier. Facts come from Zendit's documentation and from reports of its users. */
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Creator } from './create';
import type { Parts } from './parts';
import { Purchases } from './purchases';
import { Refunds } from './refunds';
import { createRoutes } from './routes';
import { createWebhooks } from './webhooks';

/** Returns Zendit with an empty list of purchases. */
export function createZendit(context: FakeContext): FakeSupplier {
  const esims: Parts['esims'] = new Map();
  const refunds = new Refunds(context.account, esims);
  const purchases = new Purchases(context, esims, createWebhooks(context, refunds));
  const creator = new Creator(context.modes, purchases);
  return { routes: createRoutes({ context, creator, esims, purchases, refunds }), state: [purchases, refunds, esims] };
}
