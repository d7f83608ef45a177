/** How a proof of the ledger is written down: one pass over rows of a kind, and what must hold of each row. */

/** One thing that must hold. Both are SQL over the columns of the scan's rows. */
export interface Check {
  /** True exactly where the row is wrong; never null, so compare with IS DISTINCT FROM what may be null. */
  wrong: string;
  /** The sentence for the operator, usually by `format`, which no null argument turns into null. */
  says: string;
}

/** One pass over the database that several checks share. */
export interface Scan {
  /** What a row is, as findings name it before its id: `wallet`, `order`. */
  subject: string;
  /** A query of its own; `id` is among its columns. */
  rows: string;
  /** By the name under which findings are reported. */
  checks: Readonly<Record<string, Check>>;
}

/**
 * The statement of a scan: what is wrong as (check, id, detail, total), at most $most rows of each check, the
 * lowest ids first; `total` is how many the check found in all.
 */
export function statementOf({ rows, checks }: Scan): string {
  const wrongs = Object.values(checks).map(({ wrong }) => `(${wrong})`);
  const values = Object.entries(checks).map(
    ([name, { wrong, says }]) => `('${name}', CASE WHEN ${wrong} THEN ${says} END)`,
  );
  // Sound rows are left out first: setting up the list of VALUES costs more than everything else on their way.
  return `
    WITH subject AS (${rows}
    ), finding AS (
      SELECT "check", id, detail, count(*) OVER (PARTITION BY "check") AS total,
             row_number() OVER (PARTITION BY "check" ORDER BY id) AS place
        FROM (SELECT * FROM subject WHERE ${wrongs.join(' OR ')}) unsound
       CROSS JOIN LATERAL (VALUES ${values.join(', ')}) AS checked ("check", detail)
       WHERE detail IS NOT NULL
    )
    SELECT "check", id, detail, total FROM finding WHERE place <= $most ORDER BY "check", id`;
}

/** SQL for whether an order has ended, from its status. */
export const hasEnded = (status: string): string => `${status} IN ('DELIVERED', 'FAILED', 'CANCELLED')`;

/** SQL for an amount with its currency, without trailing zeros. */
export const money = (amount: string, currency: string): string =>
  `trim_scale(${amount}) || ' ' || ${currency}`;
