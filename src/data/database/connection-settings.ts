/**
 * The program's sessions in PostgreSQL. Server, database and role may have other defaults than PostgreSQL itself, so each session
 * sets what the program relies on. It does so after the start-up of its connection: a pooler rejects most start-up parameters, and
 * the parameters of an address replace those of the driver.
 */
import pg from 'pg';
import { bound } from './binds';

/** Settings of a session by name. A time is in the unit of the setting, as in `pg_settings`. */
export type SessionSettings = Readonly<Record<string, string>>;

/** What every statement relies on. */
const RELIED_ON: SessionSettings = {
  // How the driver reads, and statements write, times and bytes.
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  search_path: 'public',
  // Conditional updates read what another transaction has committed since the statement began.
  default_transaction_isolation: 'read committed',
  // A purchase is sent only once its claim is durable. `withoutFlush` makes the exceptions.
  synchronous_commit: 'on',
  // Only `statement_timeout` ends a wait, and only the program ends its sessions.
  lock_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  client_min_messages: 'warning',
  // Each commit with an event for an idle endpoint notifies the outbox pollers, except in sessions that wake the one of their process.
  'app.wakes_outbox': 'off',
};

/** The message of the function `fan_out_event` to a session that wakes the outbox poller of its process. */
const EVENTS_DUE = 'events_due';

/**
 * SQL: a column of a statement. The commit of the statement does not wait until it is durable. Not for a part of a transaction.
 *
 * Placing an order, which claims its first purchase, and settling it always wait. So does the statement that stores a supplier's
 * report: no later statement may follow it, and some suppliers cannot be asked again. These do not wait, because nothing that they
 * write is promised to anybody:
 *
 * - The notification of an order's progress (`../orders/progress-notifications.ts`). The waiting request polls, too.
 * - The order reservation (`../orders/order-reservations.ts`). PostgreSQL writes its log in sequence, so the order's placement makes
 *   it durable. If PostgreSQL loses it, nothing was placed, and nothing can be: the fence finds no reservation, so the 503 is true,
 *   and key and reference are free. PostgreSQL then gives the same order id again. So each statement that has a reservation's id from
 *   elsewhere than the database compares the nonce, too. docs/decisions/0040-look-up-before-acting-after-a-restore.md.
 * - The log of API requests (`../clients/api-requests.ts`), the calls of suppliers (`../suppliers/supplier-calls.ts`), and the numbers
 *   of encrypted values (`../keys/data-keys.ts`). A process collects each in memory first, and loses as much when it is killed.
 *
 * PostgreSQL loses at most the last moments before a crash (three times its `wal_writer_delay`, 0.6 s by default).
 */
export const withoutFlush = "set_config('synchronous_commit', 'off', true)";

/** What only a superuser may set. With `replica`, no trigger runs. */
const DEMANDED: SessionSettings = { session_replication_role: 'origin' };

/** How long a new session may wait until its settings are in place, such as behind a pooler without a free connection. */
const SETTING_MS = 10_000;

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * The driver's client, whose sessions have the settings of `RELIED_ON` and these, whatever the defaults and the address say.
 * `connect` fails if PostgreSQL rejects one. A setting that this version of PostgreSQL lacks is left out. `onEventsDue`: called after
 * each commit with an event for an idle endpoint, and then no other process is notified of it.
 */
export function clientWith(settings: SessionSettings, onEventsDue?: () => void): typeof pg.Client {
  // Identifiers are bigint values far below 2^53; the driver would return them as text.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const wakes: SessionSettings = onEventsDue ? { 'app.wakes_outbox': 'on' } : {};
  const text = settingStatement({ ...RELIED_ON, ...settings, ...wakes });
  const statement = { text, query_timeout: SETTING_MS };
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      if (onEventsDue) afterCommits(this, onEventsDue);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const opened = this.open();
      if (!callback) return opened;
      opened.then((client) => callback(null, client), callback);
    }

    private async open(): Promise<pg.Client> {
      await super.connect();
      try {
        await this.query(statement);
      } catch (error) {
        void this.end().catch(() => undefined);
        throw error;
      }
      return this;
    }
  };
}

/** Calls `onEventsDue` once each transaction in which PostgreSQL has sent the message has ended. */
function afterCommits(client: pg.Client, onEventsDue: () => void): void {
  let areDue = false;
  client.on('notice', ({ message }) => {
    areDue ||= message === EVENTS_DUE;
  });
  client.on('drain', () => {
    if (!areDue || client.getTransactionStatus() !== 'I') return;
    areDue = false;
    onEventsDue();
  });
}

/** A setting of ours has a dot in its name. PostgreSQL does not list it. */
function settingStatement(settings: SessionSettings): string {
  const wanted = Object.entries(settings).map((setting) => `(${setting.map(pg.escapeLiteral).join(', ')})`);
  return `SELECT set_config(name, value, false) FROM (VALUES ${wanted.join(', ')}) AS wanted (name, value)
           WHERE strpos(name, '.') > 0 OR name IN (SELECT name FROM pg_settings)`;
}

/** A client of its own for the program, outside of a pool. Nothing limits its statements. Close it with `end`. */
export function clientAt(url: string, name: string, options: pg.ClientConfig = {}): pg.Client {
  const Client = clientWith({ application_name: name, statement_timeout: '0' });
  return new Client({ ...options, connectionString: url });
}

/**
 * The planner's cost of a random page; a sequential one costs 1. Our pages are in memory or on flash. With the default of 4, a list
 * of 50 top-ups scans the table of details while it has up to 20,000 rows, in 10 ms instead of 0.5 ms.
 */
const RANDOM_PAGE_COST = '1.1';

/**
 * The settings of a pool's sessions. With `jit`, PostgreSQL compiles expensive statements to machine code. The statement that
 * places an order runs for milliseconds, but compiling it takes a second of CPU each time.
 */
export function poolSettings({
  isOperated,
  statementMs,
}: {
  isOperated: boolean;
  statementMs: number;
}): SessionSettings {
  return {
    application_name: 'digital-goods',
    statement_timeout: String(statementMs),
    random_page_cost: RANDOM_PAGE_COST,
    jit: 'off',
    ...(!isOperated && SERVING_SETTINGS),
  };
}

/**
 * Settings of a session of API or worker. PostgreSQL starts processes for a statement that it expects to read many rows. Each
 * process costs milliseconds. To count the newest events, PostgreSQL expects a third of all events, and few are there.
 */
const SERVING_SETTINGS: SessionSettings = { max_parallel_workers_per_gather: '0' };

/** SQL: each setting of the session that is not as the program needs it. */
export const unheldSettings = `
SELECT name, setting AS value, wanted.value AS wanted
  FROM pg_settings JOIN jsonb_each_text($settings) AS wanted (name, value) USING (name)
 WHERE setting <> wanted.value ORDER BY name`;

/** The values of `unheldSettings`, for a session with these settings in addition to those of every session. */
export function neededSettings(settings: SessionSettings = {}): { settings: string } {
  return { settings: JSON.stringify({ ...RELIED_ON, ...DEMANDED, ...settings }) };
}

export interface UnheldSetting {
  name: string;
  value: string;
  wanted: string;
}

/** Throws an error that names the first setting, if there is one. */
export function rejectUnheld([unheld]: readonly UnheldSetting[]): void {
  if (!unheld) return;
  const { name, value, wanted } = unheld;
  throw new Error(`the setting ${name} of PostgreSQL is "${value}", and the program needs "${wanted}"`);
}

/** How long each connection of `checkSessions` may take. */
const CONNECT_MS = 10_000;
/** Other programs may use the sessions of a pooler in between, so one look is not enough. */
const ROUNDS = 3;

/**
 * Throws if the sessions of the database are not as the program needs them: a setting does not hold, although the program has set it,
 * or a pooler gives each statement any session. Called once at the start.
 */
export async function checkSessions(url: string): Promise<void> {
  const options = { connectionTimeoutMillis: CONNECT_MS };
  const [one, other] = [clientAt(url, 'digital-goods-check', options), clientAt(url, 'digital-goods-check', options)];
  try {
    await one.connect();
    await other.connect();
    if (await shareSessions(one, other))
      throw new Error(
        'a pooler in transaction mode is in front of PostgreSQL. Settings of sessions (such as statement_timeout), notifications ' +
          '(LISTEN) and prepared statements do not work there: use its session mode, or connect without it',
      );
    const { text, values } = bound(unheldSettings, neededSettings());
    rejectUnheld((await one.query<UnheldSetting>(text, values)).rows);
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

/** Whether a connection has several sessions, or both have the same one. */
async function shareSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  const [ofOne, ofOther] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < ROUNDS; round++) {
    ofOne.add(await processOf(one));
    ofOther.add(await processOf(other));
  }
  return new Set([...ofOne, ...ofOther]).size !== 2 || ofOne.size > 1 || ofOther.size > 1;
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
