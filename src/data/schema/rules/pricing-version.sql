-- Counts every change of an input of prices, which invalidates cached price quotes. A trigger, so that no writer can forget it,
-- including SQL that an operator runs by hand.
CREATE OR REPLACE FUNCTION raise_pricing_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pricing_version SET version = version + 1;
  RETURN NULL;
END $$;
