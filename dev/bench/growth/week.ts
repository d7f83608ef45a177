/** One week of the event log: each day deletes and writes as many events as a log of 90 days does, while autovacuum runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../src/data/database/database';
import { deleteOldEvents } from '../../../src/data/webhooks/events';
import { second } from '../../../src/domain/time';
import { alone, atMost, timesFloor, type Line } from '../report';
import type { Side } from './side';

const DAYS = 7;
const DAYS_KEPT = 90;
/** As the nightly retention deletes them. */
const BATCH = 5_000;
/** Autovacuum looks for work each minute. */
const VACUUMED_MS = 90 * second;
const MOST_BLOAT = atMost(1.1);
const MAX_STATEMENT = atMost(1_000);

/** The size of the log after the week, compared with that before it, and its longest statement. */
export async function measureWeek(side: Side): Promise<Line[]> {
  const size = () => side.number(`SELECT pg_total_relation_size('events')`);
  const events = await side.number('SELECT count(*) FROM events');
  const before = await size();
  const ofDay = Math.round(events / DAYS_KEPT);
  await side.database.query('SELECT pg_stat_statements_reset()');
  for (let day = 0; day < DAYS; day++) {
    await side.database.query(
      `INSERT INTO events (client_id, order_id, type, data)
       SELECT client_id, (SELECT max(order_id) FROM events) + row_number() OVER (), type, data
         FROM (SELECT * FROM events ORDER BY sequence DESC LIMIT ${ofDay}) newest`,
    );
    await deleteFirst(side, ofDay);
    await vacuumed(side);
  }
  const longest = await side.number(
    `SELECT max(max_exec_time) FROM pg_stat_statements WHERE query LIKE '%old AS MATERIALIZED%'`,
  );
  return [
    timesFloor('a week of events: the size of their table', 'MB', (await size()) / 1e6, before / 1e6, MOST_BLOAT),
    alone(`the longest statement that deletes ${BATCH} of ${events} events`, 'ms', longest, MAX_STATEMENT),
  ];
}

/** Deletes this many of the oldest events, with their deliveries, as retention does. */
async function deleteFirst(side: Side, count: number): Promise<void> {
  const first = () => side.number('SELECT min(sequence) FROM events');
  const last = (await first()) + count;
  const database = openDatabase(side.stack.database_url, 1);
  while ((await first()) < last) await deleteOldEvents(database, 1, BATCH);
  await database.close();
}

/** Waits until autovacuum has cleaned the log, or finds too little to clean. */
async function vacuumed(side: Side): Promise<void> {
  const dead = `SELECT count(*) FROM pg_stat_user_tables WHERE relname = 'events' AND n_dead_tup > 0.02 * n_live_tup + 50`;
  const end = performance.now() + VACUUMED_MS;
  do await sleep(second);
  while (performance.now() < end && (await side.number(dead)) > 0);
}
