-- Moments and days for the ledger, the lists and the daily caps.
-- Rule: the moment of an order or entry: never before the one before it

-- The earliest moment of a client's next order or ledger entry. It is later than the server's clock if that was set back since
-- the last one.
CREATE OR REPLACE FUNCTION coming_moment(in_client_id integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT greatest(max(moment) + interval '1 microsecond', clock_timestamp())
    FROM client_clocks WHERE client_id = in_client_id
$$;

-- The moment of a client's next order or ledger entry. The row stays locked until the commit, so moments rise in the order of
-- commit, even if the server's clock is set back: a snapshot with a moment has every earlier one of the client. Called last,
-- under the wallet's lock, so that orders of one wallet do not wait longer.
CREATE OR REPLACE FUNCTION next_moment(in_client_id integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  INSERT INTO client_clocks AS clock (client_id, moment) VALUES (in_client_id, clock_timestamp())
  ON CONFLICT (client_id) DO UPDATE
    SET moment = greatest(clock.moment + interval '1 microsecond', clock_timestamp())
  RETURNING moment
$$;

-- Seconds since a stored moment; 0 if it is in the future.
CREATE OR REPLACE FUNCTION seconds_since(moment timestamptz) RETURNS double precision LANGUAGE sql VOLATILE AS $$
  SELECT greatest(0, extract(epoch FROM clock_timestamp() - moment))::float8
$$;

-- Whether a stored moment has at least that age. A moment in the future comes from a clock that was corrected since. Its age
-- is unknown, so it counts as old: work that waits for it runs now, and not after that moment.
CREATE OR REPLACE FUNCTION is_older_than(moment timestamptz, age interval) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT moment < clock_timestamp() - age OR moment > clock_timestamp()
$$;

-- Closes a client's time up to a moment, or up to now if that is earlier: afterwards all rows with a moment in that time are
-- committed, and no new row gets one, even if the server's clock is set back. Waits for open transactions with such a moment.
-- Returns the client's last moment.
CREATE OR REPLACE FUNCTION close_time(in_client_id integer, in_until timestamptz) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  INSERT INTO client_clocks AS clock (client_id, moment) VALUES (in_client_id, least(in_until, clock_timestamp()))
  ON CONFLICT (client_id) DO UPDATE
    SET moment = greatest(clock.moment, least(in_until, clock_timestamp()))
  RETURNING moment
$$;

-- The day of a moment in UTC, for daily caps.
CREATE OR REPLACE FUNCTION day_of(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT (moment AT TIME ZONE 'UTC')::date
$$;

-- A moment in JSON: RFC 3339, UTC, milliseconds.
CREATE OR REPLACE FUNCTION rfc3339(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
