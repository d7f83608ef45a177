/**
 * The events that 16 sessions of a worker commit while every webhook endpoint is idle, compared with those while every one is busy. An
 * event for an idle endpoint is announced to the outbox pollers.
 */
import { openDatabase, type Database } from '../../../src/data/database/database';
import { sql } from '../../testbed/sql';
import { newHolder } from '../../testbed/ledger-rows';
import { newDatabase } from '../../testbed/scratch-database';
import type { Bench } from '../bench';
import { byTurns, timesFor } from '../figures';
import { atLeast, timesFloor, type Line } from '../report';

const SESSIONS = 16;

export async function measureEvents({ seconds, rounds }: Bench): Promise<Line[]> {
  const scratch = await newDatabase();
  const worker = openDatabase(scratch.url, SESSIONS, { onEventsDue: () => undefined });
  const other = openDatabase(scratch.url, SESSIONS);
  try {
    const clients = await clientsWithEndpoints(scratch.database);
    const turn = (database: Database, busy: boolean) => async () => {
      await sql(scratch.database)`DELETE FROM webhook_deliveries`;
      await sql(scratch.database)`UPDATE webhook_endpoints SET busy = ${busy}`;
      return { rate: await eventsASecond(database, clients, seconds) };
    };
    const { idle, busy, notified } = await byTurns(rounds, {
      idle: turn(worker, false),
      busy: turn(worker, true),
      notified: turn(other, false),
    });
    const work = `events of ${SESSIONS} sessions, endpoints idle, vs. busy`;
    return [
      timesFloor(`${work}: sessions that wake their poller`, '/s', idle.rate, busy.rate, atLeast(0.8)),
      timesFloor(`${work}: sessions that notify every process`, '/s', notified.rate, busy.rate),
    ];
  } finally {
    await Promise.all([worker.close(), other.close()]);
    await scratch.drop();
  }
}

/** A client for each session, with an endpoint for the events of its wallet. Returns their ids. */
async function clientsWithEndpoints(database: Database): Promise<number[]> {
  const clients: number[] = [];
  for (let session = 0; session < SESSIONS; session++) {
    const { clientId } = await newHolder(database);
    await sql(database)`
      INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
       VALUES ('nonce0000000', ${clientId}, 'https://client.example/', '', '{}', true, '')`;
    clients.push(clientId);
  }
  return clients;
}

async function eventsASecond(database: Database, clients: readonly number[], seconds: number): Promise<number> {
  let next = 0;
  const { rate } = await timesFor(
    seconds,
    SESSIONS,
    () =>
      sql(database)`INSERT INTO events (client_id, type, data)
         VALUES (${clients[next++ % SESSIONS]}, 'wallet.credited', '{"id": 1}')`,
  );
  return rate;
}
