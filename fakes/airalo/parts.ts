import type { FakeContext } from '../kit/fake';
import type { RateLimit } from '../kit/rate-limit';
import type { Buyer } from './buyer';
import type { Esim } from './esims';
import type { Notify } from './notifications';
import type { Orders } from './orders';
import type { Tokens } from './tokens';

/** What the routes work with. */
export interface Parts {
  readonly context: FakeContext;
  readonly buyer: Buyer;
  /** The sold eSIMs by ICCID. */
  readonly esims: Map<string, Esim>;
  readonly limits: RateLimit;
  readonly notify: Notify;
  readonly orders: Orders;
  readonly tokens: Tokens;
  /** The usage of each ICCID as Airalo last read it. */
  readonly usageCache: Map<string, { readonly at: number; readonly body: object }>;
  /** Multiplies the documented times. */
  readonly timeScale: number;
}
