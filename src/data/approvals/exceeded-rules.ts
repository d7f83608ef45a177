/**
 * The rules about a second person that a person's operations exceed. docs/operators/approvals.md.
 * Rule: which rule about a second person applies to a person's operations of 24 hours, by client and by day
 */
import { oneRow, rows, type Database } from '../database/database';
import { ruleColumns, type StoredApprovalRule } from './stored-approval-rules';

/** The number of the newest counted operation, for `exceededRules`. */
export async function newestCounted(database: Database): Promise<number> {
  const statement = 'SELECT coalesce(max(id), 0) AS newest FROM counted_operations';
  return (await oneRow<{ newest: number }>(database, statement)).newest;
}

/** A rule that a person's operations exceed. Amounts are decimal strings. */
export interface ExceededRule extends StoredApprovalRule {
  /** The largest sum for one client, and that for all clients. */
  client_sum: string;
  day_sum: string;
}

// Of an operation in one currency, only the exceeded rule of the largest sum applies.
const exceededStatement = `
WITH counted AS (
  SELECT ruled.operation, counted.currency, counted.client_id, counted.amount, counted.id > $after AS is_new
    FROM counted_operations counted
    JOIN (VALUES ('FUND', 'FUND'), ('ADJUST', 'ADJUST'), ('CREDIT_LIMIT', 'CREDIT_LIMIT'), ('REFUND', 'REFUND'),
                 ('REFUND', 'REFUNDS_IMPORT'), ('REFUNDS_IMPORT', 'REFUNDS_IMPORT')) ruled (operation, counted) ON ruled.counted = counted.operation
   WHERE counted.person = $person AND counted.at > clock_timestamp() - interval '24 hours'
), of_clients AS (
  SELECT operation, currency, client_id, sum(amount) AS amount FROM counted
   GROUP BY operation, currency, client_id HAVING bool_or(is_new)
), sums AS (
  SELECT of_client.operation, of_client.currency, max(of_client.amount) AS client_sum,
         (SELECT sum(amount) FROM counted
           WHERE counted.operation = of_client.operation AND counted.currency = of_client.currency) AS day_sum
    FROM of_clients of_client GROUP BY of_client.operation, of_client.currency
)
SELECT DISTINCT ON (operation, currency) ${ruleColumns},
       trim_scale(client_sum)::text AS client_sum, trim_scale(day_sum)::text AS day_sum
  FROM approval_rules JOIN sums USING (operation, currency)
 WHERE client_sum > amount OR day_sum > day_amount
 ORDER BY operation, currency, amount DESC`;

/**
 * The rules that the person's operations exceed together with those that the transaction has counted behind `after`. What other people
 * approved is not counted.
 */
export function exceededRules(
  database: Database,
  { person, after }: { person: string; after: number },
): Promise<ExceededRule[]> {
  return rows(database, exceededStatement, { person, after });
}
