/** DT One as a fake supplier. Facts come from DT One's documentation and from reports of its users. */
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Account } from './account';
import { createCallbacks } from './callbacks';
import { Creator } from './create';
import { Esims } from './esims';
import type { Parts } from './parts';
import { RateLimit } from './rate-limit';
import { createRoutes } from './routes';
import { Transactions } from './transactions';

/** Returns DT One with an empty list of transactions and 100000.00 USD on our account. */
export function createDtone(context: FakeContext): FakeSupplier {
  const account = new Account();
  const esims = new Esims();
  const onFinal = createCallbacks(context.modes);
  const transactions = new Transactions({ account, esims, ledger: context.ledger, onFinal });
  const creator = new Creator(context.modes, transactions);
  const rateLimit = new RateLimit();
  const parts: Parts = { context, account, esims, transactions, creator, rateLimit };
  return {
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
