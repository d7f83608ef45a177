/** The ledger verification consists of scans. Each scan reads rows of one kind and makes several checks of each row. */

/** A condition and its message, both as SQL over the columns of the scan's rows. */
export interface Check {
  /** True exactly if the row is wrong. Must never be null, so compare nullable values with IS DISTINCT FROM. */
  wrong: string;
  /** The message for the operator. Must not be null, so use `format`, which accepts null arguments. */
  says: string;
}

/** One pass over the database that several checks share. */
export interface Scan {
  /** The kind of row, such as `wallet` or `order`. Findings name it before the id of the row. */
  subject: string;
  /** A query with a column `id`. */
  rows: string;
  /** The checks of each row, by name. */
  checks: Readonly<Record<string, Check>>;
}

/**
 * The statement of a scan. It returns the wrong rows as (check, id, detail, total), at most $most of each check, sorted by id.
 * `total`: the number of all wrong rows of the check.
 */
export function statementOf({ rows, checks }: Scan): string {
  const conditions = Object.values(checks).map(({ wrong }) => `(${wrong})`);
  const values = Object.entries(checks).map(
    ([name, { wrong, says }]) => `('${name}', CASE WHEN ${wrong} THEN ${says} END)`,
  );
  // Selects the wrong rows first, because the VALUES list takes longer for a row than everything else.
  return `
    WITH subject AS (${rows}
    ), finding AS (
      SELECT "check", id, detail, count(*) OVER (PARTITION BY "check") AS total,
             row_number() OVER (PARTITION BY "check" ORDER BY id) AS place
        FROM (SELECT * FROM subject WHERE ${conditions.join(' OR ')}) unsound
       CROSS JOIN LATERAL (VALUES ${values.join(', ')}) AS checked ("check", detail)
       WHERE detail IS NOT NULL
    )
    SELECT "check", id, detail, total FROM finding WHERE place <= $most ORDER BY "check", id`;
}

/** SQL for whether an order has ended, from its status. */
export const hasEnded = (status: string): string => `${status} IN ('DELIVERED', 'FAILED', 'CANCELLED')`;

/** SQL for an amount without trailing zeros, with the currency in the column `currency` of the scan's rows. */
export const money = (amount: string): string => `trim_scale(${amount}) || ' ' || currency`;

/** SQL: the amount by which an entry of `transactions` changes the balance. Only COMPLETED entries move money. */
export const change = `
  CASE WHEN status <> 'COMPLETED' THEN 0 WHEN transaction_type = 'CREDIT' THEN amount ELSE -amount END`;
