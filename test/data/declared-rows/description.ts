/** What PostgreSQL says of a statement, without running it: the columns that it returns. */
import type pg from 'pg';
import { bound } from '../../../src/data/database/binds';
import { clientAt } from '../../../src/data/database/connection-settings';
import { queryIn, type Node } from './parse-tree';

/** A column that a statement returns, and the column of a table that it comes from straight; 0 without one. */
export interface Column {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** A statement as PostgreSQL understands it. */
export interface Described {
  columns: readonly Column[];
  /** Its parse tree; undefined if nobody asks for it. */
  query: Node | undefined;
}

/** Parses and describes one statement by PostgreSQL's extended protocol. */
class Description implements pg.Submittable {
  #columns: Column[] = [];

  constructor(
    private readonly text: string,
    private readonly done: (error: Error | undefined, columns: Column[]) => void,
  ) {}

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.#columns = fields;
  }

  handleError(error: Error): void {
    this.done(error, []);
  }

  handleReadyForQuery(): void {
    this.done(undefined, this.#columns);
  }
}

/** PostgreSQL sends the parse tree of each statement. Its log stays as it is. */
const sendsTrees = `
SELECT set_config('log_min_messages', 'panic', false), set_config('debug_pretty_print', 'off', false),
       set_config('client_min_messages', 'log', false), set_config('debug_print_parse', 'on', false)`;

/** Describes statements on a connection of its own. */
export class Descriptions {
  #tree = '';

  private constructor(private readonly client: pg.Client) {
    client.on('notice', ({ message, detail }) => {
      if (message === 'parse tree:') this.#tree = detail ?? '';
    });
  }

  static async open(url: string): Promise<Descriptions> {
    const client = clientAt(url, 'declared-rows');
    await client.connect();
    await client.query(sendsTrees);
    return new Descriptions(client);
  }

  /** Rejects with PostgreSQL's error if the statement cannot be prepared. */
  async of(sql: string, hasTree: boolean): Promise<Described> {
    const { text } = withPlaces(sql);
    this.#tree = '';
    const columns = await new Promise<Column[]>((resolve, reject) => {
      this.client.query(new Description(text, (error, found) => (error ? reject(error) : resolve(found))));
    });
    return { columns, query: hasTree ? queryIn(this.#tree) : undefined };
  }

  /** Creates a temporary table, which stays until `close`. */
  async create(sql: string): Promise<void> {
    await this.client.query(sql.replace('ON COMMIT DROP', ''));
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}

/** The statement with places (`$1`) in place of its names, and these. */
export function withPlaces(sql: string): { text: string; names: string[] } {
  const names = new Set<string>();
  const anyBinds = new Proxy<Record<string, unknown>>({}, { get: (_binds, name) => names.add(String(name)) });
  return { text: bound(sql, anyBinds).text, names: [...names] };
}
