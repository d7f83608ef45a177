/** Zendit as a fake supplier. Facts come from Zendit's documentation and from reports of its users. */
import Joi from 'joi';
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Account } from './account';
import { Creator } from './create';
import { Esims } from './esims';
import type { Parts } from './parts';
import { Purchases } from './purchases';
import { Refunds } from './refunds';
import { createRoutes } from './routes';
import { createWebhooks } from './webhooks';

interface Environment {
  FAKE_TIME_SCALE: number;
  FAKE_WEBHOOK_HEADER: string;
}

const environment = Joi.object<Environment, true>({
  /** Multiplies the documented delays. `takes_ms` and the other modes are not scaled. */
  FAKE_TIME_SCALE: Joi.number().min(0).default(1),
  /** The header of webhooks that the buyer chose in the console. Its value is `FAKE_SECRET`. */
  FAKE_WEBHOOK_HEADER: Joi.string().default('x-webhook-secret'),
}).options({ stripUnknown: true });

/** Returns Zendit with an empty list of purchases and 100000.00 USD in our wallet. */
export function createZendit(context: FakeContext): FakeSupplier {
  const value = Joi.attempt(process.env, environment);
  const timeScale = value.FAKE_TIME_SCALE;
  const account = new Account();
  const esims = new Esims();
  const refunds = new Refunds({ account, esims, timeScale });
  const onState = createWebhooks({
    context,
    refunds,
    header: value.FAKE_WEBHOOK_HEADER,
    timeScale,
  });
  const purchases = new Purchases({ account, esims, ledger: context.ledger, timeScale, onState });
  const creator = new Creator(context.modes, purchases, timeScale);
  const parts: Parts = { context, account, esims, purchases, refunds, creator, timeScale };
  return {
    name: 'Zendit',
    routes: createRoutes(parts),
    reset: () => {
      purchases.clear();
      refunds.clear();
      esims.clear();
      account.clear();
    },
    fund: (amount) => account.fund(amount),
  };
}
