import type { Migration } from './migration';

/** What the API keeps in memory, by what is told when it changes (see `change-feed.ts`). */
const kept = {
  clients: ['clients'],
  catalogue: [
    ...['countries', 'currencies', 'categories', 'subcategories'],
    ...['voucher_products', 'voucher_denominations', 'topup_products', 'topup_variants'],
    ...['esim_products', 'esim_variants', 'client_discounts', 'client_blacklist'],
  ],
};

const told = Object.entries(kept).flatMap(([what, tables]) =>
  tables.map(
    (table) => `
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change('${what}');`,
  ),
);

/** Processes may keep what they read of clients and catalogue: each change is told when it is committed. */
export const changeFeed: Migration = {
  name: '0028-change-feed',
  sql: `
CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changed', TG_ARGV[0]);
  RETURN NULL;
END $$;
${told.join('')}
`,
};
