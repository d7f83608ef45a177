-- The changes that end versions of price lists. A trigger, so that no writer can forget it, including SQL that an operator runs by
-- hand. docs/decisions/0085-version-price-lists-by-counted-changes.md.

-- Records the changed rows: each client and family once. Arguments, all SQL: client, family, columns that count, columns of the stock.
-- An update that leaves these columns as they are records nothing.
CREATE OR REPLACE FUNCTION record_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rows_of text := CASE TG_OP WHEN 'UPDATE' THEN 'SELECT %1$s FROM changed EXCEPT SELECT %1$s FROM former'
                             ELSE 'SELECT %1$s FROM changed' END;
  record_rows text := 'INSERT INTO catalogue_changes (client_id, family, is_stock) SELECT DISTINCT %s::integer, %s::text, %L::boolean FROM (%s) kept';
BEGIN
  EXECUTE format(record_rows, TG_ARGV[0], TG_ARGV[1], false, format(rows_of, TG_ARGV[2]));
  IF TG_OP = 'UPDATE' AND TG_ARGV[3] <> '' THEN
    EXECUTE format(record_rows, TG_ARGV[0], TG_ARGV[1], true, format(rows_of, TG_ARGV[3]));
  END IF;
  RETURN NULL;
END $$;

-- Records that the lists of one client changed. Argument: the column with the client.
CREATE OR REPLACE FUNCTION record_catalogue_of_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_changes (client_id, is_stock) VALUES ((to_jsonb(NEW) ->> TG_ARGV[0])::integer, false);
  RETURN NULL;
END $$;
