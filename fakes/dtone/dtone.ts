/** DT One as a fake supplier. Facts come from DT One's documentation and from reports of its users. */
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { RateLimit } from '../kit/rate-limit';
import { createCallbacks } from './callbacks';
import { Creator } from './create';
import type { Parts } from './parts';
import { createRoutes } from './routes';
import { Transactions } from './transactions';

/** Returns DT One with an empty list of transactions. */
export function createDtone(context: FakeContext): FakeSupplier {
  const esims: Parts['esims'] = new Map();
  const transactions = new Transactions(context, esims, createCallbacks(context.modes));
  const creator = new Creator(context.modes, transactions);
  const limits = new RateLimit();
  return {
    routes: createRoutes({ context, esims, transactions, creator, limits }),
    state: [transactions, creator, esims, limits],
  };
}
