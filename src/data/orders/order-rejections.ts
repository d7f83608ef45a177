/** How many order requests the API processes reject with 503, by minute and reason. */
import { firstRow, rows, type Database } from '../database/database';

const addStatement = `
INSERT INTO order_rejections AS counted (minute, reason, requests)
SELECT date_trunc('minute', now()), rejected.reason, rejected.requests
  FROM unnest($reasons::text[], $requests::bigint[]) AS rejected (reason, requests)
ON CONFLICT (minute, reason) DO UPDATE SET requests = counted.requests + excluded.requests`;

/** Adds order requests that were rejected just now, by kind of error (`src/domain/errors.ts`). */
export async function addOrderRejections(
  database: Database,
  rejected: ReadonlyMap<string, number>,
): Promise<void> {
  const binds = { reasons: [...rejected.keys()], requests: [...rejected.values()] };
  await rows(database, addStatement, binds);
}

/** Rejected order requests of the last `minutes` of all API processes, and the most frequent reason (null if none). */
export async function recentOrderRejections(
  database: Database,
  minutes: number,
): Promise<{ requests: number; reason: string | null }> {
  const found = await firstRow<{ requests: number; reason: string | null }>(
    database,
    `SELECT coalesce(sum(requests), 0)::float8 AS requests,
            (array_agg(reason ORDER BY requests DESC))[1] AS reason
       FROM order_rejections WHERE minute > now() - make_interval(mins => $minutes)`,
    { minutes },
  );
  return found ?? { requests: 0, reason: null };
}

/** Deletes counts that are older than a day. */
export async function deleteOldOrderRejections(database: Database): Promise<void> {
  await rows(database, `DELETE FROM order_rejections WHERE minute < now() - interval '1 day'`);
}
