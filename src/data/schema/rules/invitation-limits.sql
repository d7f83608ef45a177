-- Rule: the limits of invitations by one operator or client

-- Limits the invitations by one operator or client, so that they fill no mailbox: in an hour 5 to one address, and 500 in all
-- (src/domain/invitation-messages.ts has the message). Each row of `invitations` that is added or renewed is mailed. Raises SQLSTATE DGKEY.
CREATE OR REPLACE FUNCTION limit_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  limited record;
  is_sent boolean;
BEGIN
  FOR limited IN VALUES (format('to %s by %s', NEW.email, NEW.invited_by), 5), ('by ' || NEW.invited_by, 500) LOOP
    EXECUTE format($count$
      INSERT INTO %I.invitation_counts AS counts VALUES ($1, 1, now())
      ON CONFLICT (counted) DO UPDATE
         SET sent = CASE WHEN counts.since < now() - interval '1 hour' THEN 1 ELSE counts.sent + 1 END,
             since = CASE WHEN counts.since < now() - interval '1 hour' THEN now() ELSE counts.since END
       WHERE counts.since < now() - interval '1 hour' OR counts.sent < $2
      RETURNING true $count$, TG_TABLE_SCHEMA) INTO is_sent USING limited.column1, limited.column2;
    IF is_sent IS NULL THEN RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'TOO_MANY_INVITATIONS'; END IF;
  END LOOP;
  RETURN NULL;
END $$;
