/** The API process: connects to what it needs, serves, and on SIGTERM or SIGINT ends what it has begun. */
import type { Server } from 'node:http';
import type { Express } from 'express';
import { loadConfig, type Config } from '../config';
import { openDatabase } from '../data/database';
import { migrate } from '../data/migrate';
import { loadReferenceData } from '../data/reference-data';
import { createLogger } from '../log';
import { OrderDesk } from '../ordering/order-desk';
import { KeyRing } from '../security/key-ring';
import { Sealer } from '../security/sealing';
import { suppliersFrom } from '../suppliers/registry';
import { connectTemporal } from '../temporal/connection';
import { createApp } from './app';
import type { Dependencies } from './dependencies';
import { httpServer } from './http-server';

/** How long requests may go on after the signal to stop. */
const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  const config = loadConfig();
  const deps = await connect(config);
  const server = await listen(createApp(deps), config);
  deps.log.info({ host: config.api.host, port: config.api.port }, 'API ready');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop(server, deps).then(() => process.exit(0)));
  }
}

async function connect(config: Config): Promise<Dependencies> {
  const keyRing = new KeyRing(config.secretKeys);
  const { url, poolSize } = config.database;
  await migrate(url).catch((error: NodeJS.ErrnoException) => {
    const reason = error.message || error.code;
    throw new Error(`PostgreSQL at DATABASE_URL (${new URL(url).host}) cannot be used: ${reason}`);
  });
  const database = openDatabase(url, poolSize);
  await loadReferenceData(database);
  const sealer = new Sealer(keyRing);
  const log = createLogger(config.logLevel);
  const temporal = await connectTemporal(config, keyRing);
  const maxInFlight = config.api.maxCreatesInFlight;
  const suppliers = suppliersFrom(config);
  const desk = new OrderDesk({ database, sealer, temporal, suppliers, log, maxInFlight });
  return { config, database, keyRing, sealer, temporal, desk, suppliers, log };
}

/** Accepts requests from now on. Throws a sentence that names the port when it cannot be had. */
async function listen(app: Express, { api }: Config): Promise<Server> {
  const server = httpServer(app);
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`API_PORT ${api.port} on ${api.host} cannot be listened on: ${error.message}`));
    });
    server.listen(api.port, api.host, () => resolve(server));
  });
}

/** Takes no new request, lets those under way finish, then lets go of database and Temporal. */
async function stop(server: Server, { database, temporal, log }: Dependencies): Promise<void> {
  log.info('API stopping');
  // A kept-alive connection that was busy when the server closed would stay open for ever.
  const hangUp = setInterval(() => server.closeIdleConnections(), 100);
  const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(hangUp);
  clearTimeout(cut);
  await Promise.allSettled([database.close(), temporal.connection.close()]);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
