/** The dependencies of the handlers. `main.ts` builds them once. */
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../settings/config';
import type { Database } from '../data/database/database';
import type { KnownClients } from '../data/clients/clients';
import type { RequestMetrics } from '../metrics/request-metrics';
import type { SentPurchases } from '../ordering/purchasing/conclusive-lookups';
import type { Identity } from '../identity/identity';
import type { KeyRing } from '../security/key-ring';
import type { PriceLists } from '../ordering/price-lists';
import type { OrderWorkers } from '../ordering/placement/order-workers';
import type { TemporalStorage } from '../ordering/placement/temporal-storage';
import type { OrderCreation } from '../ordering/placement/order-creation';
import type { Sealer } from '../security/sealing';
import type { Supplier } from '../domain/suppliers/port';
import type { AllSandboxControls } from '../domain/suppliers/configured-suppliers';
import type { AuthLimits } from './auth/limits';
import type { SessionTokens } from './auth/session-tokens';
import type { Downloads } from './guides/downloads';
import type { PageFile, PageFiles } from '../page-files/page-files';
import type { SandboxFaults } from './orders/rehearsed-faults';
import type { ApiRequestLog } from './middleware/api-request-log';
import type { KeyUseLog } from './middleware/key-uses';
import type { ShownCodes } from './middleware/shown-codes';
import type { RateLimiter } from './rate-limits/rate-limiter';
import type { ResponseCache } from './shared/response-cache';

export interface Dependencies {
  config: Config;
  database: Database;
  keyRing: KeyRing;
  sealer: Sealer;
  temporal: TemporalClient;
  creation: OrderCreation;
  /** Whether a worker would run a new order. */
  orderWorkers: OrderWorkers;
  /** Whether Temporal would store a new order. */
  temporalStorage: TemporalStorage;
  rateLimiter: RateLimiter;
  /** The limits of login and refresh. API and console share them: a secret that one has verified is known to the other. */
  authLimits: AuthLimits;
  /** Cached clients of sessions, for reads. Writes check the database. */
  knownClients: KnownClients;
  sessionTokens: SessionTokens;
  /** The sign-in of clients' members. */
  members: Pick<Identity, 'router' | 'sessionOf' | 'isAlive' | 'sessionsOf' | 'endSession'>;
  shownCodes: ShownCodes;
  /** Cached responses about the catalogue. */
  responseCache: ResponseCache;
  priceLists: PriceLists;
  consoleFiles: PageFiles;
  /** The page that shows the OpenAPI document. */
  referenceFiles: PageFiles;
  /** The clients' pages by file name: `errors.html`, `errors.md`, `llms.txt`. */
  guideFiles: ReadonlyMap<string, PageFile>;
  downloads: Downloads;
  /** The pictures of the sandbox's products, by file name. */
  pictures: ReadonlyMap<string, PageFile>;
  suppliers: ReadonlyMap<string, Supplier>;
  /** The purchases that this process has seen as sent. */
  sentPurchases: SentPurchases;
  /** The change of a price or value, in percent, above which a person must look at it. */
  priceChangeLimitPercent: number;
  /** The sandbox controls; undefined in production. */
  sandboxControls: AllSandboxControls | undefined;
  /** The faults that clients rehearse; undefined in production. */
  sandboxFaults: SandboxFaults | undefined;
  log: Logger;
  requestMetrics: RequestMetrics;
  /** The log of API requests that clients read in the console. */
  apiRequestLog: ApiRequestLog;
  /** The last uses of API keys. */
  keyUses: KeyUseLog;
  /** Aborted when the process stops. Waiting order requests are then answered with the current state of the order. */
  stopping: AbortSignal;
}
