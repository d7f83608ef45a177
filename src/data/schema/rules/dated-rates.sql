-- When a rate of clients was set, and by which day's file.
-- Rule: the time and the file's day of a rate

-- The trigger that dates a rate. A statement that sets the rate of a file gives it the empty reason, which no held rate has, and the rate then
-- has the day of the held columns. Every other rate is one of a person, without a day, whoever sets it, including SQL that an operator runs
-- by hand and an older release, also if the rate was held. If no time is set, it has that of its change. No rate is held any more.
CREATE OR REPLACE FUNCTION date_rate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.held_reason = '' THEN
    NEW.file_day := NEW.held_file_day;
  ELSE
    IF NEW.as_of = OLD.as_of THEN NEW.as_of := now(); END IF;
    NEW.file_day := NULL;
    NEW.person_rate := NEW.rate;
    NEW.person_rate_at := now();
  END IF;
  NEW.held_rate := NULL;
  NEW.held_as_of := NULL;
  NEW.held_file_day := NULL;
  NEW.held_reason := NULL;
  RETURN NEW;
END $$;
