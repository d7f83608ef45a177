import type { FakeContext } from '../kit/fake';
import type { Account } from './account';
import type { Buyer } from './buyer';
import type { Esims } from './esims';
import type { Notify } from './notifications';
import type { Orders } from './orders';
import type { RateLimit } from './rate-limit';
import type { Tokens } from './tokens';

/** What the routes work with. */
export interface Parts {
  readonly context: FakeContext;
  readonly account: Account;
  readonly buyer: Buyer;
  readonly esims: Esims;
  readonly limits: RateLimit;
  readonly notify: Notify;
  readonly orders: Orders;
  readonly tokens: Tokens;
  readonly usageCache: UsageCache;
  /** Multiplies the documented times. */
  readonly timeScale: number;
}

/** The usage of each ICCID as Airalo last read it. */
export type UsageCache = Map<string, { readonly at: number; readonly body: object }>;
