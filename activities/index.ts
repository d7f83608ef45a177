/** The activities: thin wrappers around functions of `src/`, one file for each concern. */
import type { ActivityDependencies } from './dependencies';
import { monitoring, monitorStart } from './esims';
import { mailing } from './mail';
import { maintenance } from './maintenance';
import { fastPath, purchasing } from './purchasing';
import { refunding } from './refunds';
import { settlingStep, settlement } from './settlement';

/** All activities except those of webhooks, bound to one worker's connections. */
export function createActivities(deps: ActivityDependencies) {
  const { placeAndBuy, ...supplierCalls } = purchasing(deps);
  return {
    ...fastPath({ placeAndBuy, ...settlingStep(deps), ...monitorStart(deps) }, deps),
    ...supplierCalls,
    ...settlement(deps),
    ...monitorStart(deps),
    ...mailing(deps),
    ...monitoring(deps),
    ...maintenance(deps),
    ...refunding(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export { webhookActivities, type WebhookActivities } from './webhooks';
