import type { FakeContext } from '../kit/fake';
import type { RateLimit } from '../kit/rate-limit';
import type { Creator } from './create';
import type { Esim } from './esims';
import type { Transactions } from './transactions';

/** What the routes work with. */
export interface Parts {
  readonly context: FakeContext;
  readonly creator: Creator;
  /** The sold eSIMs by ICCID. */
  readonly esims: Map<string, Esim>;
  readonly limits: RateLimit;
  readonly transactions: Transactions;
}
