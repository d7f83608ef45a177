/** The activities: thin wrappers around functions of `src/`, one file for each concern. */
import { InlineAttempts } from '../src/ordering/purchasing/inline-attempts';
import type { ActivityDependencies } from './dependencies';
import { monitoring, monitorStart } from './esims';
import { mailing } from './mail';
import { maintenance } from './maintenance';
import { openOrders } from './orders';
import { firstAttempt, purchasing } from './purchases';
import { wallets } from './wallet';

/** All activities except those of webhooks, bound to one worker's connections. */
export function createActivities(deps: ActivityDependencies) {
  // The debit claims a purchase for the attempt of the same process.
  const inlineAttempts = new InlineAttempts();
  return {
    ...wallets(deps, inlineAttempts),
    ...firstAttempt(deps, inlineAttempts),
    ...purchasing(deps, inlineAttempts),
    ...openOrders(deps),
    ...monitorStart(deps),
    ...mailing(deps),
    ...monitoring(deps),
    ...maintenance(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export { webhookActivities, type WebhookActivities } from './webhooks';
