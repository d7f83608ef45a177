/** What workflows ask of the world: thin over `src/`, one file for each concern. */
import type { ActivityDependencies } from './dependencies';
import { esims, followers } from './esim';
import { mailing } from './mail';
import { maintenance } from './maintenance';
import { placement } from './placement';
import { purchasing } from './purchasing';
import { selling } from './selling';
import { settlement } from './settlement';

/** Every activity of the service, bound to one worker's connections. */
export function createActivities(deps: ActivityDependencies) {
  const steps = { ...placement(deps), ...purchasing(deps), ...settlement(deps), ...followers(deps) };
  return {
    ...steps,
    ...selling(steps, deps),
    ...mailing(deps),
    ...esims(deps),
    ...maintenance(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export { webhookActivities, type WebhookActivities } from './webhooks';
