-- Moments and days, as the ledger, the lists and the caps read them.

-- The moment at which a client's next order is placed or ledger entry made. Whoever takes one holds the
-- row until commit, so moments rise in the order of commit, across families and wallets: a snapshot that
-- shows one of them shows every earlier one. They rise too where the server's clock is set back. Taken
-- last, when the wallet is held already, so that orders of one wallet wait no longer.
CREATE OR REPLACE FUNCTION next_moment(in_client_id integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  INSERT INTO client_clocks AS clock (client_id, moment) VALUES (in_client_id, clock_timestamp())
  ON CONFLICT (client_id) DO UPDATE
    SET moment = greatest(clock.moment + interval '1 microsecond', clock_timestamp())
  RETURNING moment
$$;

-- The day in which a moment lies, in UTC: the day of daily caps.
CREATE OR REPLACE FUNCTION day_of(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT (moment AT TIME ZONE 'UTC')::date
$$;

-- A moment as JSON shows it: RFC 3339, UTC, milliseconds.
CREATE OR REPLACE FUNCTION rfc3339(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
