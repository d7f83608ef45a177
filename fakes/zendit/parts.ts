import type { FakeContext } from '../kit/fake';
import type { Creator } from './create';
import type { Esim } from './esims';
import type { Purchases } from './purchases';
import type { Refunds } from './refunds';

/** What the routes work with. */
export interface Parts {
  readonly context: FakeContext;
  readonly creator: Creator;
  /** The sold eSIMs by ICCID. */
  readonly esims: Map<string, Esim>;
  readonly purchases: Purchases;
  readonly refunds: Refunds;
}
