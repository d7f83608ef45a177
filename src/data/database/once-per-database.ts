import type { Database } from './database';

/** What gives the models on a database: defined at first use, the same ones from then on. */
export function oncePerDatabase<Models>(
  define: (database: Database) => Models,
): (database: Database) => Models {
  const models = new WeakMap<Database, Models>();
  return (database) => {
    const known = models.get(database);
    if (known) return known;
    const defined = define(database);
    models.set(database, defined);
    return defined;
  };
}
