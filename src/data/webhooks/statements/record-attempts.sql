-- Records attempts at one endpoint and the new states of their deliveries. A delivery that was skipped or given up
-- meanwhile stays so.
--
-- Why this shape: one round trip for a batch of attempts.
-- Rejected: a statement for each attempt in one transaction: 45 ms instead of 8 ms for 100 attempts.
-- plan: webhook_deliveries_pkey
WITH result AS (
  SELECT * FROM unnest($sequences::bigint[], $states::text[], $nextAttemptsAt::timestamptz[],
                       $attemptedAt::timestamptz[], $durations::integer[], $statuses::integer[], $errors::text[],
                       $unrenderable::boolean[])
    AS result (sequence, state, next_try_at, attempted_at, duration_ms, response_status, error, unrenderable)
), log AS (
  INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms, response_status, error)
  SELECT sequence, $endpointId, attempted_at, duration_ms, response_status, error FROM result
)
UPDATE webhook_deliveries delivery
   SET state = result.state, next_try_at = result.next_try_at, tries = tries + 1, asked_for = false,
       unbuildable = result.unrenderable,
       first_failed_at = CASE WHEN result.state <> 'DELIVERED' THEN coalesce(first_failed_at, $now) END
  FROM result
 WHERE endpoint_id = $endpointId AND event_sequence = result.sequence AND delivery.state IN ('DUE', 'RETRY')
