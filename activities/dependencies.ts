import type { Client as TemporalClient } from '@temporalio/client';
import type { Database } from '../src/data/database/database';
import type { NotifyProgress } from '../src/data/orders/progress-notifications';
import type { PurchasingDependencies } from '../src/ordering/purchasing/sending-and-lookup';
import type { Mailer } from '../src/notifications/mail/send';

/** The worker's connections and settings that activities use. */
export interface ActivityDependencies extends PurchasingDependencies {
  /** Logged in as the retention role. Only this role deletes audit entries and adds the entries about actions in Temporal. */
  auditDatabase: Database;
  mailer: Mailer;
  /** Where members of clients sign in. */
  consoleUrl: string;
  temporal: TemporalClient;
  /** Opens a connection whose statements may take hours. The caller closes it. */
  openPatientDatabase: () => Database;
  /** Days for which webhook events are kept. */
  eventRetentionDays: number;
  /** An exchange rate that is older is listed for operators. 0 allows every age. */
  rateMaxAgeHours: number;
  /** A client with more claims, and a greater share of its units claimed, within 30 days is listed for operators. */
  claims: { unusualCount: number; unusualPercent: number };
  /** Counts an order that ends. `failureCode` is empty if it did not fail. */
  countEnd: (end: { family: string; status: string; failureCode: string }) => void;
  /** Notifies the order request that may wait for the order. */
  notifyProgress: NotifyProgress;
}
