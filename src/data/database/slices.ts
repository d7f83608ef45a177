/** Reads a page of a list in slices: a page of 10,000 rows read at once would block the process. */
import type { Binds } from './binds';
import { plannedLimit, rows, type Database } from './database';

/** The maximum number of rows that one statement reads. */
export const READ_AT_ONCE = 250;

/** Rows of a list, and the number of all its rows. */
export interface ListPage<Row> {
  total: number;
  rows: Row[];
}

export interface Slice {
  /** A literal that is at least `$offset` + `$limit` (`plannedLimit`). */
  plannedLimit: number;
  /** The number of rows, as SQL. */
  limit: string;
  /** Whether the slice begins after the row with the id `$after`. */
  isNext: boolean;
}

/** A list as SQL. */
interface ListStatements {
  /** Selects the number of all rows as `total`, a bigint. */
  count: string;
  /** Selects the rows of a slice in any order: those behind `$offset`. */
  select: (slice: Slice) => string;
  /** The columns that sort the rows. */
  sequence: string;
}

/** A list that is read in slices. Each statement is built once: a new text is hashed whole to look up its compiled statement. */
export class SlicedList {
  readonly #firstStatements = new Map<number, string>();
  readonly #nextStatements = new Map<number, string>();

  constructor(private readonly statements: ListStatements) {}

  /**
   * The rows of the page. The first statement skips `offset` rows and counts all rows, because a round trip costs as much as
   * counting. Each further slice begins after the last row that was read.
   */
  async page<Row extends { id: number }>(
    database: Database,
    binds: Binds,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<ListPage<Row>> {
    const page = await this.#first<Row>(database, { ...binds, offset, limit: Math.min(READ_AT_ONCE, limit) });
    const wanted = Math.min(limit, page.total - offset);
    for (let last = page.rows.at(-1); last && page.rows.length < wanted; last = page.rows.at(-1)) {
      const size = Math.min(READ_AT_ONCE, limit - page.rows.length);
      const slice = await this.#next<Row>(database, { ...binds, offset: 0, limit: size, after: last.id });
      page.rows.push(...slice);
      if (slice.length < size) break;
    }
    return page;
  }

  async #first<Row extends { id: number }>(database: Database, binds: SliceBinds): Promise<ListPage<Row>> {
    const statement = textOf(this.#firstStatements, binds, (planned) => this.#firstStatement(planned));
    const counted = await rows<(Row | { id: null }) & { total: number }>(database, statement, binds);
    return {
      total: counted[0]?.total ?? 0,
      rows: counted.filter((row): row is Row & { total: number } => row.id !== null),
    };
  }

  /** A page behind the last row has the limit 0, with which PostgreSQL reads nothing. */
  #firstStatement(planned: number): string {
    const { count, select, sequence } = this.statements;
    const limit = '(SELECT CASE WHEN total > $offset THEN $limit ELSE 0 END FROM counted)';
    return `
      WITH counted AS (${count})
      SELECT counted.total, page.* FROM counted
        LEFT JOIN (${select({ plannedLimit: planned, limit, isNext: false })}) page ON true
       ORDER BY ${sequence}`;
  }

  #next<Row extends object>(database: Database, binds: SliceBinds): Promise<Row[]> {
    const { select, sequence } = this.statements;
    const statement = textOf(
      this.#nextStatements,
      binds,
      (planned) => `${select({ plannedLimit: planned, limit: '$limit', isNext: true })} ORDER BY ${sequence}`,
    );
    return rows<Row>(database, statement, binds);
  }
}

type SliceBinds = Binds & { offset: number; limit: number };

function textOf(
  texts: Map<number, string>,
  { offset, limit }: SliceBinds,
  build: (plannedLimit: number) => string,
): string {
  const planned = plannedLimit(offset + limit);
  const built = texts.get(planned) ?? build(planned);
  texts.set(planned, built);
  return built;
}
