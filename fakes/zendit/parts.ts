import type { FakeContext } from '../kit/fake';
import type { Account } from './account';
import type { Creator } from './create';
import type { Esims } from './esims';
import type { Purchases } from './purchases';
import type { Refunds } from './refunds';

/** What the routes work with. */
export interface Parts {
  readonly context: FakeContext;
  readonly account: Account;
  readonly esims: Esims;
  readonly purchases: Purchases;
  readonly refunds: Refunds;
  readonly creator: Creator;
}
