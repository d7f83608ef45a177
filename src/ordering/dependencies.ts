import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../data/database/database';
import type { Sealer } from '../security/sealing';
import type { Supplier } from '../domain/suppliers/port';

/** The connections of a process. Each part of ordering takes those that it needs. */
export interface OrderingDependencies {
  database: Database;
  sealer: Sealer;
  /** Suppliers by name. */
  suppliers: ReadonlyMap<string, Supplier>;
  temporal: Client;
  log: Logger;
  /** Aborted when the process stops: a read then no longer waits for a supplier, and shows the stored order. */
  stopping: AbortSignal;
}
