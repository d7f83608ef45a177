/** What the catalogue of PostgreSQL tells about null. */
import { rows, type Database } from '../../../src/data/database/database';
import type { Catalogue } from './nullability';
import { queryIn } from './parse-tree';

const nullableStatement = `
SELECT attrelid || '.' || attnum AS column FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
 WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attnotnull`;

const viewStatement = `
SELECT ev_class AS id, ev_action::text AS tree FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
 WHERE rulename = '_RETURN' AND relnamespace = 'public'::regnamespace`;

export async function readCatalogue(database: Database): Promise<Catalogue> {
  const idsOf = async (condition: string) => {
    const sql = `SELECT pg_proc.oid AS id FROM pg_proc WHERE ${condition}`;
    return new Set((await rows<{ id: number }>(database, sql)).map(({ id }) => id));
  };
  const views = await rows<{ id: number; tree: string }>(database, viewStatement);
  return {
    nullable: new Set((await rows<{ column: string }>(database, nullableStatement)).map(({ column }) => column)),
    views: new Map(
      views.flatMap(({ id, tree }) => {
        const query = queryIn(tree);
        return query ? [[id, query]] : [];
      }),
    ),
    strict: await idsOf('proisstrict'),
  };
}
