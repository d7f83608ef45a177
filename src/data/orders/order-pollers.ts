/** Which deployment versions the processes belong to that take tasks of orders. */
import { rows, type Database } from '../database/database';

/** The processes of one version. */
export interface OrderPollers {
  /** Empty where they are unversioned. */
  version: string;
  /** Milliseconds since the last sign of life of any of them, by the database's clock. */
  silentMs: number;
  /** Those of them that gave one within the last 15 s, such as `worker 4711 on host-1`. */
  processes: string[];
}

/** A process that gave no sign of life for so long, in milliseconds, is taken for dead. It gives one every 5 s. */
export const SILENCE_MS = 15_000;

/**
 * Each version of which a process takes tasks of orders, or did so lately without saying that it stops. A sign of life
 * stamped in the future is none: the next one of a process that lives comes within seconds.
 */
export async function listOrderPollers(database: Database): Promise<OrderPollers[]> {
  return rows<OrderPollers>(
    database,
    `SELECT polls_orders_as AS version,
            seconds_since(max(seen_at)) * 1000 AS "silentMs",
            coalesce(array_agg(format('worker %s on %s', pid, host) ORDER BY host, pid)
              FILTER (WHERE seen_at > clock_timestamp() - $silenceMs * interval '1 millisecond'), '{}')
              AS processes
       FROM key_holders
      WHERE role = 'worker' AND polls_orders_as IS NOT NULL AND seen_at <= clock_timestamp()
      GROUP BY polls_orders_as ORDER BY polls_orders_as`,
    { silenceMs: SILENCE_MS },
  );
}
