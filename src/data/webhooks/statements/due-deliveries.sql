-- The deliveries of an endpoint that are due at the caller's time, oldest first, with their events.
--
-- An event waits for the retries of earlier events of its order: it is postponed to the same moment. It does not wait
-- for unrenderable or suspect events, nor if it was requested.
--
-- Why this shape: two branches, so that each reads its own partial index in order and stops at the limit, regardless
-- of earlier deliveries: 0.3 ms with a backlog of 50,000 behind 150,000 delivered ones.
-- Rejected: `state = 'DUE' OR state = 'RETRY' AND next_try_at <= now` in one scan. It may read the primary key through
-- all earlier deliveries: 59 ms in the same case.
-- plan: webhook_deliveries_due, webhook_deliveries_retry, events_sequence_key
WITH due AS (
  (SELECT * FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'DUE'
      AND event_sequence <> ALL ($underWay::bigint[])
    ORDER BY event_sequence LIMIT $limit)
  UNION ALL
  (SELECT * FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'RETRY' AND next_try_at <= $now
    ORDER BY event_sequence LIMIT $limit)
  ORDER BY event_sequence LIMIT $limit
), judged AS (
  SELECT due.*, (
    SELECT max(before.next_try_at) FROM webhook_deliveries before
     WHERE before.endpoint_id = $endpointId AND before.state = 'RETRY' AND before.next_try_at > $now
       AND before.tries < $suspectAfter AND NOT before.unbuildable
       AND before.order_id = due.order_id AND before.event_sequence < due.event_sequence
       AND NOT due.asked_for) AS waits_until
    FROM due
), postponed AS (
  UPDATE webhook_deliveries delivery SET state = 'RETRY', next_try_at = judged.waits_until
    FROM judged
   WHERE delivery.endpoint_id = $endpointId AND delivery.event_sequence = judged.event_sequence
     AND judged.waits_until IS NOT NULL
)
SELECT event.id, event.type, event.version, event.data AS facts, event.created_at AS "createdAt",
       event.order_id AS "orderId", esim.iccid,
       picked.event_sequence AS sequence, picked.tries AS attempts,
       picked.asked_for AS requested, picked.first_failed_at AS "firstFailedAt"
  FROM judged picked
  JOIN events event ON event.sequence = picked.event_sequence
  LEFT JOIN esim_orders esim ON esim.order_id = event.order_id AND event.type LIKE 'esim.%'
 WHERE picked.waits_until IS NULL
 ORDER BY picked.event_sequence
