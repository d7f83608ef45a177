/** DT One as a fake supplier. Facts come from DT One's documentation and from reports of its users. */
import Joi from 'joi';
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Account } from './account';
import { createCallbacks } from './callbacks';
import { Creator } from './create';
import { Esims } from './esims';
import type { Parts } from './parts';
import { RateLimit } from './rate-limit';
import { createRoutes } from './routes';
import { Transactions } from './transactions';

interface Environment {
  FAKE_TIME_SCALE: number;
  FAKE_RATE_LIMIT: number;
}

const environment = Joi.object<Environment, true>({
  /** Multiplies the documented delays. `takes_ms` and the other modes are not scaled. */
  FAKE_TIME_SCALE: Joi.number().min(0).default(1),
  /** Calls in one second. The documentation has no figure. */
  FAKE_RATE_LIMIT: Joi.number().integer().min(1).default(100),
}).options({ stripUnknown: true });

/** Returns DT One with an empty list of transactions and 100000.00 USD on our account. */
export function createDtone(context: FakeContext): FakeSupplier {
  const value = Joi.attempt(process.env, environment);
  const timeScale = value.FAKE_TIME_SCALE;
  const account = new Account();
  const esims = new Esims();
  const onFinal = createCallbacks(context.modes, timeScale);
  const transactions = new Transactions({ account, esims, ledger: context.ledger, timeScale, onFinal });
  const creator = new Creator(context.modes, transactions, timeScale);
  const rateLimit = new RateLimit(value.FAKE_RATE_LIMIT);
  const parts: Parts = { context, account, esims, transactions, creator, rateLimit, timeScale };
  return {
    name: 'DT One',
    routes: createRoutes(parts),
    reset: () => {
      transactions.clear();
      creator.clear();
      esims.clear();
      account.clear();
      rateLimit.clear();
    },
    fund: (amount) => account.fund(amount),
  };
}
