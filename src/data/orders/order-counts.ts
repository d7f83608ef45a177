import { rows, type Database } from '../database';

/** Keys with fewer rows than this are quick enough to add up as they are. */
const WORTH_FOLDING = 50;

const foldStatement = `
WITH crowded AS (
  SELECT client_id, family, status FROM order_counts GROUP BY 1, 2, 3 HAVING count(*) > ${WORTH_FOLDING}
), taken AS (
  DELETE FROM order_counts USING crowded
   WHERE order_counts.client_id = crowded.client_id AND order_counts.family = crowded.family
     AND order_counts.status = crowded.status
  RETURNING order_counts.*
)
INSERT INTO order_counts
SELECT client_id, family, status, sum(change) FROM taken GROUP BY 1, 2, 3
RETURNING client_id`;

/** Adds the counter rows of busy clients together. Sums stay exact throughout. Returns the keys folded. */
export async function foldOrderCounts(database: Database): Promise<number> {
  return (await rows(database, foldStatement)).length;
}
