-- Tells the processes that keep what they read that it has changed, when the change is committed. A trigger, so that
-- no writer can forget it, operators' SQL by hand included.
CREATE OR REPLACE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changed', TG_ARGV[0]);
  RETURN NULL;
END $$;
