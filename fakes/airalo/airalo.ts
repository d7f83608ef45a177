/** Airalo as a fake supplier. Facts come from Airalo's documentation and from reports of its users. */
import Joi from 'joi';
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { RateLimit } from '../kit/rate-limit';
import { Buyer } from './buyer';
import { createNotify } from './notifications';
import { Orders } from './orders';
import type { Parts } from './parts';
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

/** Returns Airalo with no orders and no tokens. */
export function createAiralo(context: FakeContext): FakeSupplier {
  const { FAKE_TIME_SCALE: timeScale, FAKE_SIGNS: signs } = Joi.attempt(process.env, environment);
  const { modes, settings } = context;
  const esims: Parts['esims'] = new Map();
  const usageCache: Parts['usageCache'] = new Map();
  const orders = new Orders(context, esims);
  const limits = new RateLimit();
  const tokens = new Tokens(timeScale, settings.secret);
  const buyer = new Buyer(modes, orders, timeScale, esims);
  const notify = createNotify({ settings, timeScale, signs });
  const parts = { context, buyer, esims, limits, notify, orders, timeScale, tokens, usageCache };
  return { routes: createRoutes(parts), state: [orders, esims, limits, tokens, usageCache] };
}
