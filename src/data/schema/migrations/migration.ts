/**
 * A step of the schema. Never changes after its release. Until the last process of the previous release has ended, both releases
 * use the schema. docs/developers/migrations.md has the rules for steps, and test/data/migration-rules.unit.test.ts checks them.
 */
export type Migration = InTransaction | OfIndexes;

interface Step {
  /** Number and name. */
  name: string;
  /**
   * For a step that removes something: `<release>: <why>`, the release that stopped using it, and why no process needs it any more.
   * `migrate` throws before any step if an older release migrated last.
   */
  contract?: string;
}

/** Runs in one transaction, after its indexes are built. */
export interface InTransaction extends Step {
  sql: string;
  indexes?: readonly ConcurrentIndex[];
}

/** Builds indexes on existing tables without blocking writers. */
export interface OfIndexes extends Step {
  indexes: readonly ConcurrentIndex[];
}

export interface ConcurrentIndex {
  name: string;
  unique?: boolean;
  /** The text after `ON`: table, columns in brackets, and condition, if any. */
  on: string;
}

/**
 * Placeholders for the functions of triggers, so that a migration can create the triggers. `rules/*.sql` need the tables, so
 * they run after all migrations and replace the placeholders. Until then every call fails.
 */
export function triggerFunctions(...names: readonly string[]): string {
  return names
    .map(
      (name) => `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'src/data/schema/rules did not run after the migrations'; END $$;`,
    )
    .join('');
}
