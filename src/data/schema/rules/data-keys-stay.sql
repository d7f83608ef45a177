-- Rule: data keys are never deleted

CREATE OR REPLACE FUNCTION data_keys_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'data keys are retired, never deleted: the values under them could not be read any more';
END $$;
