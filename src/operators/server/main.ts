/** The operators' process: people work through it, with a database role of its own. It holds the keys; people never do. */
import type { Server } from 'node:http';
import { join } from 'node:path';
import { loadOperatorsConfig } from '../../settings/config';
import { misspeltSettings } from '../../settings/misspelt-settings';
import { openDatabase } from '../../data/database/database';
import { checkSessions } from '../../data/database/connection-settings';
import { ensureDataKeys } from '../../data/keys/data-keys';
import { holdKeys } from '../../data/keys/loaded-keys';
import { openOperatorsIdentity } from '../../identity/operators';
import { createLogger } from '../../process/log';
import { readFile, readPageFile } from '../../page-files/page-files';
import { LocalKeyEncryption } from '../../security/key-encryption';
import { collectStartGarbage } from '../../process/start-garbage';
import { EncryptionCodec } from '../../temporal/codec';
import { safeHeaders } from '../../http/checks';
import { httpServer } from '../../http/http-server';
import { SLOWEST_REQUEST_MS } from '../../http/slow-bodies';
import { operatorsApp } from './app';
import { OperatorCalls } from './calls';
import { recordSentCalls } from './temporal-ui/record-calls';
import { openWorkplace } from './workplace';
import { proxiesOf } from '../../http/trusted-proxies';

/** The folder of the built pages. */
const OFFICE = join(__dirname, '..', '..', '..', 'office');

/** Connections for some ten people who work at once, and for their long operations. */
const POOL_SIZES = { short: 10, long: 5 };

/** How long operations may go on after the signal to stop. */
const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  const config = loadOperatorsConfig();
  const { host, port } = config.operators;
  const { trustedProxies, maxConnections } = config.api;
  const log = createLogger('operators', config.logLevel);
  for (const sentence of misspeltSettings()) log.warn(sentence);
  const { url } = config.database;
  await checkSessions(url);
  const options = { isOperated: true, rateStopHours: config.rateStopHours };
  const database = openDatabase(url, POOL_SIZES.short, options);
  const encryption = new LocalKeyEncryption(config.secretKeys);
  await ensureDataKeys(database, encryption);
  const keys = await holdKeys({ database, encryption, log, role: 'operators' });
  const identity = await openOperatorsIdentity(config, {
    log,
    ownUrl: `http://${host}:${port}`,
    links: [
      { href: '/office/', text: 'Back office' },
      { href: '/temporal/', text: 'Temporal UI' },
    ],
  });
  const workplace = openWorkplace({
    config,
    database,
    longDatabase: openDatabase(url, POOL_SIZES.long, options),
    people: () => identity.people,
    keyEncryption: () => encryption,
    keyRing: () => Promise.resolve(keys.ring),
  });
  const temporal = {
    uiUrl: config.operators.temporalUiUrl,
    namespace: config.temporal.namespace,
    apiKey: config.temporal.apiKey,
    codec: new EncryptionCodec(keys.ring),
    record: recordSentCalls(database),
  };
  const calls = new OperatorCalls(workplace);
  const app = operatorsApp({
    calls,
    identity,
    temporal,
    trustedProxies,
    log,
    officeFiles: { ...readPageFile(OFFICE), runbook: readFile(join(OFFICE, 'runbook.html')) },
    isProduction: config.mode === 'production',
  });
  collectStartGarbage();
  const limits = { maxConnections, isProxy: proxiesOf(app), slowRequestMs: SLOWEST_REQUEST_MS };
  const { server } = httpServer(app, limits, safeHeaders(config.mode));
  server.listen(port, host, () => log.info({ host, port }, 'operators ready'));
  const stop = async (): Promise<void> => {
    await closed(server);
    await Promise.allSettled([keys.stop(), identity.close(), workplace.close()]);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
}

/** Accepts no more requests. Returns once those in progress have ended, or after `SHUTDOWN_MS`. */
async function closed(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
