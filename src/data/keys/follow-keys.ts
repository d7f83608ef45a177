/**
 * Keeps the keys of a process as the database has them, without a query on anybody's way, and tells the database that
 * the process runs.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { KeyEncryption } from '../../security/key-encryption';
import { keyPurposes, type KeyRing } from '../../security/key-ring';
import type { Database } from '../database/database';
import { nameOf } from './data-keys';
import { reportProcess, withdrawProcess, wrappingKeyName, type HeldKeys } from './key-holders';
import { allKeys, completeRing, payloadKeys, type KeyLoader } from './load-keys';

/** A key that was added or promoted is taken over within so many milliseconds. */
const REFRESH_MS = 5_000;

/** A ring that follows the database until it is stopped. */
export interface FollowedKeys {
  ring: KeyRing;
  stop(): Promise<void>;
}

/** The same of a process that is known to run. */
export interface HoldingProcess extends FollowedKeys {
  /** Tells that it takes tasks of orders from now on, as which deployment version ('' unversioned); null: none any more. */
  pollsOrders(as: string | null): Promise<void>;
}

interface Following {
  database: Database;
  encryption: KeyEncryption;
  log: Logger;
}

/**
 * Loads all keys, follows them, and makes known which this process holds. Throws a sentence if a key is missing or
 * cannot be unwrapped; once it runs that is logged, and the process keeps the others.
 */
export async function holdKeys({
  role,
  ...following
}: Following & { role: string }): Promise<HoldingProcess> {
  const { database, encryption } = following;
  const self = { process: randomUUID(), role, host: hostname(), pid: process.pid };
  const wrappingKeys = encryption.keys.map(wrappingKeyName);
  let pollsOrdersAs: string | null = null;
  const report = (keys: Omit<HeldKeys, 'wrappingKeys'>) =>
    reportProcess(database, { ...self, pollsOrdersAs, wrappingKeys, ...keys });
  // Before keys are read: what is added from now on is not promoted before this process has it.
  await report({ dataKeys: [], currentKeys: [] });
  const loader = allKeys(database, encryption);
  const ring = await completeRing(loader, keyPurposes).catch(async (error: unknown) => {
    // Nobody is to wait for a process that does not start.
    await withdrawProcess(database, self.process);
    throw error;
  });
  const reportRing = () => report(contentsOf(ring));
  await reportRing();
  const stop = follow(loader, ring, following.log, reportRing);
  return {
    ring,
    async pollsOrders(as) {
      pollsOrdersAs = as;
      await reportRing().catch((err: unknown) => following.log.warn({ err }, 'told with the next turn'));
    },
    async stop() {
      await stop();
      await withdrawProcess(database, self.process);
    },
  };
}

/** Loads payload keys and follows them. It only reads, and only the view `payload_keys`. */
export async function followPayloadKeys({ database, encryption, log }: Following): Promise<FollowedKeys> {
  const loader = payloadKeys(database, encryption);
  const ring = await completeRing(loader, ['payload']);
  return { ring, stop: follow(loader, ring, log, async () => undefined) };
}

function contentsOf(ring: KeyRing): Omit<HeldKeys, 'wrappingKeys'> {
  const names = keyPurposes.map((purpose) => ring.all(purpose).map(({ id }) => nameOf({ purpose, id })));
  return { dataKeys: names.flat(), currentKeys: names.flatMap(([first]) => first ?? []) };
}

/** Returns what ends it. */
function follow(
  loader: KeyLoader,
  ring: KeyRing,
  log: Logger,
  refreshed: () => Promise<void>,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const reportFault = (err: unknown) => log.error({ err }, 'a data key cannot be used');
  const running = (async () => {
    while (await pause(signal)) {
      try {
        ring.replace(await loader.load(reportFault));
        await refreshed();
      } catch (err) {
        log.warn({ err }, 'data keys were not read: those at hand go on');
      }
    }
  })();
  return () => {
    stopping.abort();
    return running;
  };
}

/** Waits for the next turn; false if there is none. */
async function pause(signal: AbortSignal): Promise<boolean> {
  return sleep(REFRESH_MS, true, { signal, ref: false }).catch(() => false);
}
