/**
 * A step of the schema. Steps run in the order of their names, and are never changed once released. While one runs, and
 * until the last process of the release before has ended, both releases work on the schema: what a step may do stands
 * in docs/developers/migrations.md, and test/data/migration-rules.unit.test.ts holds it.
 */
export type Migration = InTransaction | OfIndexes;

interface Step {
  /** Number and name. */
  name: string;
  /**
   * Set where the step takes away what a release before needed: the release that stopped using it, and why nothing of
   * it is left to miss it.
   */
  contract?: string;
}

/** Runs whole or not at all, once its indexes are there. */
export interface InTransaction extends Step {
  sql: string;
  indexes?: readonly ConcurrentIndex[];
}

/** Builds indexes on tables that are there and are written meanwhile. */
export interface OfIndexes extends Step {
  indexes: readonly ConcurrentIndex[];
}

export interface ConcurrentIndex {
  name: string;
  unique?: boolean;
  /** What follows `ON`: the table, the columns in brackets, and the condition where there is one. */
  on: string;
}
/**
 * The functions of triggers, so that a migration can create the triggers: `functions/*.sql`, which need the tables, run
 * after all migrations and replace them. Until then whatever would call one fails.
 */
export function triggerFunctions(...names: readonly string[]): string {
  return names
    .map(
      (name) => `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'src/data/schema/functions did not run after the migrations'; END $$;`,
    )
    .join('');
}
