/** Airalo as a fake supplier. Facts come from Airalo's documentation and from reports of its users. */
import Joi from 'joi';
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Account } from './account';
import { Buyer } from './buyer';
import { Esims } from './esims';
import { createNotify } from './notifications';
import { Orders } from './orders';
import type { Pricing } from './packages';
import type { Parts } from './parts';
import { RateLimit } from './rate-limit';
import { createRoutes } from './routes';
import { Tokens } from './tokens';

interface Environment {
  FAKE_TIME_SCALE: number;
  FAKE_SANDBOX: boolean;
  FAKE_PRICING: Pricing['model'];
  FAKE_DISCOUNT: number;
  FAKE_NEEDS_SIGNATURE: boolean;
  FAKE_SIGNS: 'raw' | 'reserialised';
}

const environment = Joi.object<Environment, true>({
  /**
   * Multiplies documented times: token life, usage cache, limits of one ICCID, webhook repetitions. It does not multiply the
   * other limits and the modes.
   */
  FAKE_TIME_SCALE: Joi.number().min(0).default(1),
  /** Paragraph "Sandbox": no debit, no webhooks, 5 calls a second for each endpoint, test packages in the catalogue. */
  FAKE_SANDBOX: Joi.boolean().default(false),
  FAKE_PRICING: Joi.string().valid('net_pricing', 'discount_pricing').default('net_pricing'),
  /** The discount of `discount_pricing`, in per cent. */
  FAKE_DISCOUNT: Joi.number().min(0).max(100).default(12.5),
  /** Whether token requests and orders need a signature. That is not known; a present one is always checked. */
  FAKE_NEEDS_SIGNATURE: Joi.boolean().default(false),
  /** The two forms of the signature of webhooks. The documentation has the first one. */
  FAKE_SIGNS: Joi.string().valid('raw', 'reserialised').default('raw'),
}).options({ stripUnknown: true });

/** Returns Airalo with no orders, no tokens and 100000.00 USD on our account. */
export function createAiralo(context: FakeContext): FakeSupplier {
  const value = Joi.attempt(process.env, environment);
  const { FAKE_TIME_SCALE: timeScale, FAKE_SANDBOX: isSandbox, FAKE_SIGNS: signs } = value;
  const { modes, ledger, settings } = context;
  const pricing = {
    model: value.FAKE_PRICING,
    discount_percentage: value.FAKE_PRICING === 'net_pricing' ? 0 : value.FAKE_DISCOUNT,
  };
  const account = new Account(isSandbox);
  const esims = new Esims();
  const orders = new Orders({ account, esims, ledger });
  const parts: Parts = {
    context,
    account,
    esims,
    notify: createNotify({ settings, timeScale, isSandbox, signs }),
    orders,
    pricing,
    isSandbox,
    timeScale,
    buyer: new Buyer({ modes, orders, pricing, timeScale }),
    limits: new RateLimit(),
    tokens: new Tokens(timeScale, settings.secret),
    usageCache: new Map(),
    needsSignature: value.FAKE_NEEDS_SIGNATURE,
  };
  return {
    name: 'Airalo',
    routes: createRoutes(parts),
    reset: () => {
      const { limits, tokens, usageCache } = parts;
      for (const part of [orders, esims, account, limits, tokens, usageCache]) part.clear();
    },
    fund: (amount) => account.fund(amount),
  };
}
