-- Counts every change of what a price is made of: charges that were cached before are shown no more. A trigger,
-- so that no writer can forget it, operators' SQL by hand included.
CREATE OR REPLACE FUNCTION raise_pricing_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pricing_version SET version = version + 1;
  RETURN NULL;
END $$;
