/** Reads a page of a list in slices: a page of 10,000 rows read at once would block the process. */
import type { Binds } from './binds';
import { oneRow, plannedLimit, rows, type Database } from './database';

/** The maximum number of rows that one statement reads. */
export const READ_AT_ONCE = 250;

/** Rows of a list, and the number of all its rows. */
export interface ListPage<Row> {
  total: number;
  rows: Row[];
}

/** The older rows are further down the list, the newer ones further up. */
export type Direction = 'older' | 'newer';

/** A row of a list, which need not match its filters, and one of its sides. */
export interface ListPosition<Id = number> {
  id: Id;
  direction: Direction;
}

/** The rows on one side of a position that are nearest to it, newest first. */
export interface RowsBeyond<Row> extends ListPage<Row> {
  /** Whether further rows follow in that direction. */
  hasMore: boolean;
}

export interface Slice {
  /** A literal that is at least `$offset` + `$limit` (`plannedLimit`). */
  plannedLimit: number;
  /** The number of rows, as SQL. */
  limit: string;
  /** The side of the row with the id `$from` on which the slice begins. Without it, the slice begins at the newest row. */
  beyond?: Direction;
}

/** A list as SQL. */
interface ListStatements {
  /** Selects the number of all rows as `total`, a bigint. */
  count: string;
  /** Selects the row with the id `$from`, if it is a position in the list. */
  position: string;
  /** Selects the rows of a slice in any order: those behind `$offset`. */
  select: (slice: Slice) => string;
  /** The columns that sort the rows. */
  sortedBy: readonly string[];
}

/** SQL: the columns in the sequence in which a list is read. */
export function sequenceOf(columns: readonly string[], direction: Direction = 'older'): string {
  return columns.map((column) => `${column} ${direction === 'older' ? 'DESC' : 'ASC'}`).join(', ');
}

/** A list that is read in slices. Each statement is built once: a new text is hashed whole to look up its compiled statement. */
export class SlicedList {
  readonly #firstStatements = new Map<number, string>();
  readonly #nextStatements = { older: new Map<number, string>(), newer: new Map<number, string>() };
  readonly #positionStatement: string;

  constructor(private readonly statements: ListStatements) {
    const { count, position } = statements;
    this.#positionStatement = `WITH counted AS (${count}) SELECT total, EXISTS (${position}) AS "isKnown" FROM counted`;
  }

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
      const slice = await this.#next<Row>(database, { ...binds, from: last.id }, size);
      page.rows.push(...slice);
      if (slice.length < size) break;
    }
    return page;
  }

  /** At most `limit` rows beyond the position, exclusive. Undefined if the list has no such position. */
  async beyond<Row extends { id: number }>(
    database: Database,
    binds: Binds,
    { id, direction }: ListPosition,
    limit: number,
  ): Promise<RowsBeyond<Row> | undefined> {
    const { total, isKnown } = await oneRow<{ total: number; isKnown: boolean }>(database, this.#positionStatement, {
      ...binds,
      from: id,
    });
    if (!isKnown) return undefined;
    const found: Row[] = [];
    // One row more than wanted shows whether further rows follow.
    for (let from = id; found.length <= limit;) {
      const size = Math.min(READ_AT_ONCE, limit + 1 - found.length);
      const slice = await this.#next<Row>(database, { ...binds, from }, size, direction);
      found.push(...slice);
      from = slice.at(-1)?.id ?? from;
      if (slice.length < size) break;
    }
    const nearest = found.slice(0, limit);
    if (direction === 'newer') nearest.reverse();
    return { total, rows: nearest, hasMore: found.length > limit };
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
    const { count, select, sortedBy } = this.statements;
    const limit = '(SELECT CASE WHEN total > $offset THEN $limit ELSE 0 END FROM counted)';
    return `
      WITH counted AS (${count})
      SELECT counted.total, page.* FROM counted
        LEFT JOIN (${select({ plannedLimit: planned, limit })}) page ON true
       ORDER BY ${sequenceOf(sortedBy)}`;
  }

  /** The nearest rows beyond the row with the id `$from`, nearest first. */
  #next<Row extends object>(
    database: Database,
    binds: Binds & { from: number },
    limit: number,
    direction: Direction = 'older',
  ): Promise<Row[]> {
    const { select, sortedBy } = this.statements;
    const all = { ...binds, offset: 0, limit };
    const statement = textOf(this.#nextStatements[direction], all, (planned) => {
      const slice = select({ plannedLimit: planned, limit: '$limit', beyond: direction });
      return `${slice} ORDER BY ${sequenceOf(sortedBy, direction)}`;
    });
    return rows<Row>(database, statement, all);
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
