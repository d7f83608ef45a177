/** The event `catalogue.changed`: which clients get it, when, and for which families. docs/decisions/0085-version-price-lists-by-counted-changes.md. */
import { catalogueEventType } from '../../domain/webhooks/event-payloads';
import { rateStopOf, rows, type Database } from '../database/database';
import { rateExists } from '../prices/rate-ages';

// The row of `catalogue_announced` admits one run in each minute of the clock. The stock of a source that is being changed waits for the
// next run, so that an announcement waits for no other statement.
const announceStatement = `
  WITH stopped AS (
    SELECT NULL::integer AS client_id, NULL::text AS family FROM catalogue_announced last
     WHERE EXISTS (SELECT FROM forex_rates rate
                    WHERE NOT ${rateExists('rate')} AND rate.as_of + $rateStopHours * interval '1 hour' > last.at)
  ), turn AS (
    UPDATE catalogue_announced SET at = now()
     WHERE at < date_trunc('minute', now())
       AND (EXISTS (SELECT FROM catalogue_changes) OR EXISTS (SELECT FROM stopped)
            OR EXISTS (SELECT FROM product_sources WHERE listed_stock IS DISTINCT FROM stock)) RETURNING at
  ), restocked AS (
    UPDATE product_sources source SET listed_stock = source.stock
      FROM (SELECT id FROM product_sources WHERE listed_stock IS DISTINCT FROM stock AND EXISTS (SELECT FROM turn)
             ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) unlisted
     WHERE source.id = unlisted.id RETURNING source.family
  ), counted AS (
    DELETE FROM catalogue_changes WHERE EXISTS (SELECT FROM turn) RETURNING client_id, family
  ), changed AS (
    SELECT client_id, family FROM counted UNION ALL SELECT DISTINCT NULL::integer, family FROM restocked
  ), announced AS (
    SELECT client_id, family FROM changed UNION ALL SELECT * FROM stopped WHERE EXISTS (SELECT FROM turn)
  ), summed AS (
    INSERT INTO catalogue_versions AS summed (client_id, family, version)
    SELECT client_id, family, count(*) FROM changed GROUP BY client_id, family
    ON CONFLICT (client_id, family) DO UPDATE SET version = summed.version + excluded.version
  )
  INSERT INTO events (client_id, type, data)
  SELECT client.id, $type, jsonb_build_object('families', jsonb_agg(DISTINCT changed.family), 'at', rfc3339(now()))
    FROM clients client
    JOIN announced ON announced.client_id = client.id OR announced.client_id IS NULL
   CROSS JOIN unnest(ARRAY['VOUCHER', 'TOPUP', 'ESIM']) AS changed (family)
   WHERE (changed.family = announced.family OR announced.family IS NULL)
     AND EXISTS (SELECT FROM webhook_endpoints
                  WHERE client_id = client.id AND deleted_at IS NULL AND enabled AND $type = ANY (event_types))
   GROUP BY client.id`;

/**
 * Lists the present stock, which changes the version in the same statement, and counts the changes since the last announcement. Writes an event for each client
 * with an endpoint that lists its type, also about rates that became too old. Does nothing twice in one minute of the clock.
 */
export async function announceCatalogueChanges(database: Database): Promise<void> {
  await rows(database, announceStatement, { type: catalogueEventType, ...rateStopOf(database) });
}
