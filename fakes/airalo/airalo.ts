/** Airalo as a fake supplier. Facts come from Airalo's documentation and from reports of its users. */
import Joi from 'joi';
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Account } from './account';
import { Buyer } from './buyer';
import { Esims } from './esims';
import { createNotify } from './notifications';
import { Orders } from './orders';
import type { Parts } from './parts';
import { RateLimit } from './rate-limit';
import { createRoutes } from './routes';
import { Tokens } from './tokens';

interface Environment {
  FAKE_TIME_SCALE: number;
  FAKE_SIGNS: 'raw' | 'reserialised';
}

const environment = Joi.object<Environment, true>({
  /**
   * Multiplies documented times: token life, usage cache, limits of one ICCID, webhook repetitions. It does not multiply the
   * other limits and the modes.
   */
  FAKE_TIME_SCALE: Joi.number().min(0).default(1),
  /** The two forms of the signature of webhooks. The documentation has the first one. */
  FAKE_SIGNS: Joi.string().valid('raw', 'reserialised').default('raw'),
}).options({ stripUnknown: true });

/** Returns Airalo with no orders, no tokens and 100000.00 USD on our account. */
export function createAiralo(context: FakeContext): FakeSupplier {
  const { FAKE_TIME_SCALE: timeScale, FAKE_SIGNS: signs } = Joi.attempt(process.env, environment);
  const { modes, ledger, settings } = context;
  const account = new Account();
  const esims = new Esims();
  const orders = new Orders({ account, esims, ledger });
  const parts: Parts = {
    context,
    account,
    esims,
    notify: createNotify({ settings, timeScale, signs }),
    orders,
    timeScale,
    buyer: new Buyer(modes, orders, timeScale),
    limits: new RateLimit(),
    tokens: new Tokens(timeScale, settings.secret),
    usageCache: new Map(),
  };
  return {
    routes: createRoutes(parts),
    reset: () => {
      const { limits, tokens, usageCache } = parts;
      for (const part of [orders, esims, account, limits, tokens, usageCache]) part.clear();
    },
    fund: (amount) => account.fund(amount),
  };
}
