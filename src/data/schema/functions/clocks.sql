-- Moments and days, as the ledger, the lists and the caps read them.

-- The moment that a client's next order or ledger entry gets at the earliest. Later than the server's clock while
-- that was set back since the last one.
CREATE OR REPLACE FUNCTION coming_moment(in_client_id integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT greatest(max(moment) + interval '1 microsecond', clock_timestamp())
    FROM client_clocks WHERE client_id = in_client_id
$$;

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

-- Seconds since a stored moment; 0 since one in the future.
CREATE OR REPLACE FUNCTION seconds_since(moment timestamptz) RETURNS double precision LANGUAGE sql VOLATILE AS $$
  SELECT greatest(0, extract(epoch FROM clock_timestamp() - moment))::float8
$$;

-- Whether a stored moment is at least so old. A moment in the future comes from a clock that was corrected since; how
-- long ago it was is unknown, so it counts as old: work that waits for its age is done, not left until that moment.
CREATE OR REPLACE FUNCTION is_older_than(moment timestamptz, age interval) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT moment < clock_timestamp() - age OR moment > clock_timestamp()
$$;

-- Closes a client's time up to a moment, or up to now where that is earlier, and returns the client's last moment.
-- Waits for every transaction that took an earlier moment and has not ended. Later moments lie after the closed time,
-- even where the server's clock is set back. So what is stamped before the moment is committed, and nothing joins it.
CREATE OR REPLACE FUNCTION close_time(in_client_id integer, in_until timestamptz) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  INSERT INTO client_clocks AS clock (client_id, moment) VALUES (in_client_id, least(in_until, clock_timestamp()))
  ON CONFLICT (client_id) DO UPDATE
    SET moment = greatest(clock.moment, least(in_until, clock_timestamp()))
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
