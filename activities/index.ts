/** What workflows ask of the world: thin over `src/`, one file for each concern. */
import type { ActivityContext } from './context';
import { esims } from './esim';
import { mailing } from './mail';
import { maintenance } from './maintenance';
import { placement } from './placement';
import { purchasing } from './purchasing';
import { settlement } from './settlement';

/** Every activity of the service, bound to one worker's connections. */
export function createActivities(context: ActivityContext) {
  return {
    ...placement(context),
    ...purchasing(context),
    ...settlement(context),
    ...mailing(context),
    ...esims(context),
    ...maintenance(context),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export { webhookActivities, type WebhookActivities } from './webhooks';
