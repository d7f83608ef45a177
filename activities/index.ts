/** The activities: thin wrappers of `src/`, one file for each concern. */
import type { ActivityDependencies } from './dependencies';
import { monitoring, monitorStart } from './esim';
import { mailing } from './mail';
import { maintenance } from './maintenance';
import { fastPath } from './place-and-fulfil';
import { purchasing } from './purchasing';
import { settlement } from './settlement';

/** Every activity of the service, bound to one worker's connections. */
export function createActivities(deps: ActivityDependencies) {
  const { placeAndBuy, ...supplierCalls } = purchasing(deps);
  const steps = { ...settlement(deps), ...monitorStart(deps) };
  return {
    ...fastPath({ placeAndBuy, ...steps }, deps),
    ...supplierCalls,
    ...steps,
    ...mailing(deps),
    ...monitoring(deps),
    ...maintenance(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export { webhookActivities, type WebhookActivities } from './webhooks';
