/** Zendit as a fake supplier. Facts come from Zendit's documentation and from reports of its users. */
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Account } from './account';
import { Creator } from './create';
import { Esims } from './esims';
import type { Parts } from './parts';
import { Purchases } from './purchases';
import { Refunds } from './refunds';
import { createRoutes } from './routes';
import { createWebhooks } from './webhooks';

/** Returns Zendit with an empty list of purchases and 100000.00 USD in our wallet. */
export function createZendit(context: FakeContext): FakeSupplier {
  const account = new Account();
  const esims = new Esims();
  const refunds = new Refunds(account, esims);
  const onState = createWebhooks(context, refunds);
  const purchases = new Purchases({ account, esims, ledger: context.ledger, onState });
  const creator = new Creator(context.modes, purchases);
  const parts: Parts = { context, account, esims, purchases, refunds, creator };
  return {
    routes: createRoutes(parts),
    reset: () => {
      purchases.clear();
      refunds.clear();
      esims.clear();
      account.clear();
    },
    fund: (amount) => account.fund(amount),
  };
}
