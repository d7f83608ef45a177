import type { Client as TemporalClient } from '@temporalio/client';
import type { Database } from '../src/data/database/database';
import type { OrderKey } from '../src/domain/orders/order-flow';
import type { SentPurchases } from '../src/ordering/purchasing/send-and-look-up';
import type { Mailer } from '../src/notifications/mail/send';
import type { Sealer } from '../src/security/sealing';
import type { Supplier } from '../src/suppliers/port';

/** What activities are given by the worker. */
export interface ActivityDependencies {
  database: Database;
  /** Logged in as the retention role, which alone deletes audit entries and brings in those from Temporal. */
  auditDatabase: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
  /** What this process knows as sent. */
  sentPurchases: SentPurchases;
  mailer: Mailer;
  temporal: TemporalClient;
  /** Opens a database whose statements may take hours. Close it. */
  openPatientDatabase: () => Database;
  /** Events of webhooks are kept for so many days. */
  eventRetentionDays: number;
  /** Told of each order that ends: how, and why where it failed (empty where it did not). */
  countEnd: (end: { family: string; status: string; failureCode: string }) => void;
  /** Told of each order whose create may still wait for it that it has ended. */
  tellEnd: (order: Pick<OrderKey, 'nonce'>) => void;
}
