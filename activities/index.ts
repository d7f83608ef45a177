/** What workflows ask of the world: thin over `src/`, one file for each concern. */
import type { ActivityDependencies } from './dependencies';
import { esims, monitors } from './esim';
import { mailing } from './mail';
import { maintenance } from './maintenance';
import { fastPath } from './place-and-fulfil';
import { purchasing } from './purchasing';

import { settlement } from './settlement';

/** Every activity of the service, bound to one worker's connections. */
export function createActivities(deps: ActivityDependencies) {
  const { placeOnly, placeAndBuy, ...supplierCalls } = purchasing(deps);
  const steps = { ...settlement(deps), ...monitors(deps) };
  return {
    ...fastPath({ placeOnly, placeAndBuy, ...steps }, deps),
    ...supplierCalls,
    ...steps,
    ...mailing(deps),
    ...esims(deps),
    ...maintenance(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export { webhookActivities, type WebhookActivities } from './webhooks';
