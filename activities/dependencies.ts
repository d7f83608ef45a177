import type { Client as TemporalClient } from '@temporalio/client';
import type { Database } from '../src/data/database/database';
import type { NotifyAnswer } from '../src/data/orders/answer-notifications';
import type { SentPurchases } from '../src/ordering/purchasing/send-and-look-up';
import type { Mailer } from '../src/notifications/mail/send';
import type { Sealer } from '../src/security/sealing';
import type { Supplier } from '../src/suppliers/port';

/** The worker's connections and settings that activities use. */
export interface ActivityDependencies {
  database: Database;
  /** Logged in as the retention role. Only this role deletes audit entries and adds the entries about actions in Temporal. */
  auditDatabase: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
  /** The purchases that this process knows as sent. */
  sentPurchases: SentPurchases;
  mailer: Mailer;
  temporal: TemporalClient;
  /** Opens a connection whose statements may take hours. The caller closes it. */
  openPatientDatabase: () => Database;
  /** Days for which webhook events are kept. */
  eventRetentionDays: number;
  /** A supplier's offer waits for an operator if its price changes by more. */
  priceChangeLimitPercent: number;
  /** Counts an order that ends. `failureCode` is empty if it did not fail. */
  countEnd: (end: { family: string; status: string; failureCode: string }) => void;
  /** Notifies the order request that may wait for the answer. */
  notifyAnswer: NotifyAnswer;
}
