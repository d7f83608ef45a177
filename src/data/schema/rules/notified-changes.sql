-- Notifies processes with cached rows at the commit of a change. A trigger, so that no writer can forget it, including SQL
-- that an operator runs by hand.
CREATE OR REPLACE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changed', TG_ARGV[0]);
  RETURN NULL;
END $$;
