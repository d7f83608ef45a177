import type { FakeContext } from '../kit/fake';
import type { Account } from './account';
import type { Creator } from './create';
import type { Esims } from './esims';
import type { RateLimit } from './rate-limit';
import type { Transactions } from './transactions';

/** What the routes work with. */
export interface Parts {
  readonly context: FakeContext;
  readonly account: Account;
  readonly esims: Esims;
  readonly transactions: Transactions;
  readonly creator: Creator;
  readonly rateLimit: RateLimit;
}
