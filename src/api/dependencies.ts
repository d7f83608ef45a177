/** What the handlers are given: built once in `main.ts`, replaced by nothing in tests. */
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../config';
import type { Database } from '../data/database/database';
import type { KnownClients } from '../data/clients/clients';
import type { RequestFigures } from '../metrics/request-figures';
import type { KeyRing } from '../security/key-ring';
import type { OrderWorkers } from '../ordering/placement/order-workers';
import type { TemporalStorage } from '../ordering/placement/temporal-storage';
import type { OrderCreation } from '../ordering/placement/order-creation';
import type { SentPurchases } from '../ordering/purchasing/send-and-look-up';
import type { Sealer } from '../security/sealing';
import type { Supplier } from '../suppliers/port';
import type { AllSandboxControls } from '../suppliers/registry';
import type { PageFiles } from './shared/page-files';
import type { RateLimiter } from './rate-limits/rate-limiter';
import type { KeptAnswers } from './shared/kept-answers';

export interface Dependencies {
  config: Config;
  database: Database;
  keyRing: KeyRing;
  sealer: Sealer;
  temporal: TemporalClient;
  /** Where every create goes. */
  creation: OrderCreation;
  /** Whether anybody would work on a new order. */
  orderWorkers: OrderWorkers;
  /** Whether Temporal would store a new order. */
  temporalStorage: TemporalStorage;
  rateLimiter: RateLimiter;
  /** Clients as reads are answered to them; what may change something asks the database. */
  knownClients: KnownClients;
  /** Answers about the catalogue. */
  keptAnswers: KeptAnswers;
  /** The console as it was built. */
  consoleFiles: PageFiles;
  /** The page that shows the OpenAPI document. */
  referenceFiles: PageFiles;
  /** Suppliers by name. */
  suppliers: ReadonlyMap<string, Supplier>;
  /** What this process knows as sent. */
  sentPurchases: SentPurchases;
  /** What clients rehearse with; undefined in production. */
  sandboxControls: AllSandboxControls | undefined;
  log: Logger;
  /** Told of every request. */
  requestFigures: RequestFigures;
  /** Aborted when the process stops: whatever waits then is answered as it stands. */
  stopping: AbortSignal;
}
