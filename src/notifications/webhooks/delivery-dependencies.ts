import type { Logger } from 'pino';
import type { Database } from '../../data/database/database';
import type { Sealer } from '../../security/sealing';
import type { WebhookSender } from './sender';

/** What webhooks are delivered with. */
export interface DeliveryDependencies {
  database: Database;
  sealer: Sealer;
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}
