-- The end of an entry on the attention list ends its taking, also if another operator ends it (`src/data/attention/attention-work.ts`).
CREATE OR REPLACE FUNCTION end_attention_taking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM attention_takings WHERE attention_id = NEW.id;
  RETURN NULL;
END $$;
