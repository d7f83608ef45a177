/** What workflows ask of the world: thin over `src/`, one file for each concern. */
import type { Client as TemporalClient } from '@temporalio/client';
import type { Database } from '../src/data/database';
import type { Mailer } from '../src/notifications/mail/send';
import type { Sealer } from '../src/security/sealing';
import type { Supplier } from '../src/suppliers/port';
import { housekeeping } from './housekeeping';
import { mailing } from './mail';
import { placement } from './placement';
import { purchasing } from './purchasing';
import { settlement } from './settlement';

/** What activities are given by the worker. */
export interface ActivityContext {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
  mailer: Mailer;
  temporal: TemporalClient;
}

/** Every activity of the service, bound to one worker's connections. */
export function createActivities(context: ActivityContext) {
  return {
    ...placement(context),
    ...purchasing(context),
    ...settlement(context),
    ...mailing(context),
    ...housekeeping(context),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export { webhookActivities, type WebhookActivities } from './webhooks';
