-- The changes that end versions of price lists. A trigger, so that no writer can forget it, including SQL that an operator runs by
-- hand. docs/decisions/0085-version-price-lists-by-counted-changes.md.

-- Records the changed rows: each client and family once. Arguments, all SQL: client, family, columns that count. An update that leaves these
-- columns as they are records nothing. A fourth argument has no effect: the announcement finds the changed stock.
CREATE OR REPLACE FUNCTION record_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rows_of text := CASE TG_OP WHEN 'UPDATE' THEN 'SELECT %1$s FROM changed EXCEPT SELECT %1$s FROM former'
                             ELSE 'SELECT %1$s FROM changed' END;
BEGIN
  EXECUTE format('INSERT INTO catalogue_changes (client_id, family) SELECT DISTINCT %s::integer, %s::text FROM (%s) kept',
                 TG_ARGV[0], TG_ARGV[1], format(rows_of, TG_ARGV[2]));
  RETURN NULL;
END $$;

-- Records that the lists of one client changed. Argument: the column with the client.
CREATE OR REPLACE FUNCTION record_catalogue_of_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_changes (client_id) VALUES ((to_jsonb(NEW) ->> TG_ARGV[0])::integer);
  RETURN NULL;
END $$;

-- A new source changes the version at once, and so its first stock is listed at once.
CREATE OR REPLACE FUNCTION list_first_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed_stock := NEW.stock;
  RETURN NEW;
END $$;
