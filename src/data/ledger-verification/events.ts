/** Checks that every change of an order, an eSIM or a wallet has exactly one event, and every such event a change. */
import { hasEnded, type Scan } from './scan';

/**
 * The moment since which the events are complete. Changes before it need no event. It is an hour after the newest deleted event,
 * because an event has the time when its transaction began, and its change may have a later one. -infinity if none was deleted.
 */
export const keptSince = `
  kept AS MATERIALIZED (
    SELECT coalesce(deleted_through + interval '1 hour', '-infinity') AS since FROM events_counted
  )`;

const orders: Scan = {
  subject: 'order',
  rows: `
    WITH ${keptSince}
    SELECT o.id, o.status, coalesce(written.ends, 0) AS ends, written.last_end, coalesce(written.parts, 0) AS parts,
           CASE WHEN ${hasEnded('o.status')} THEN
             CASE o.family WHEN 'VOUCHER' THEN 'order.' WHEN 'TOPUP' THEN 'topup.' WHEN 'ESIM' THEN 'esim.'
                           ELSE 'unknown.' END || lower(o.status)
           END AS expected,
           o.status = 'PARTIALLY_DELIVERED' AS expects_part,
           o.family = 'VOUCHER' AND o.status NOT IN ('PENDING', 'CANCELLED') AS allows_part,
           coalesce(o.completed_at, o.placed_at) >= kept.since AS is_kept
      FROM kept CROSS JOIN orders o
      LEFT JOIN (
        SELECT order_id, count(*) FILTER (WHERE type <> 'order.partially_delivered') AS ends,
               max(type) FILTER (WHERE type <> 'order.partially_delivered') AS last_end,
               count(*) FILTER (WHERE type = 'order.partially_delivered') AS parts
          FROM events
         WHERE type IN ('order.delivered', 'order.failed', 'order.cancelled', 'order.partially_delivered',
                        'topup.delivered', 'topup.failed', 'topup.cancelled',
                        'esim.delivered', 'esim.failed', 'esim.cancelled')
           AND order_id IS NOT NULL
         GROUP BY order_id
      ) written ON written.order_id = o.id`,
  checks: {
    'order-event': {
      wrong: `
        CASE WHEN ends = 0 THEN expected IS NOT NULL AND is_kept
             ELSE ends > 1 OR last_end IS DISTINCT FROM expected END
        OR CASE WHEN parts = 0 THEN expects_part AND is_kept ELSE parts > 1 OR NOT allows_part END`,
      says: `format('is %s; %s events of its end (%s) and %s of a partial delivery were written', status, ends,
               coalesce(last_end, 'none'), parts)`,
    },
  },
};

/** SQL: an eSIM with the time of the step has an event about it. */
const hasEventOf = (step: string) => (step === 'depleted' ? 'true' : 'NOT is_recharge');

const esims: Scan = {
  subject: 'order',
  rows: `
    WITH ${keptSince}
    SELECT o.id, o.status, esim.activation_status, esim.installed_at, esim.activated_at, esim.depleted_at, kept.since,
           esim.used_50_at, esim.used_80_at, esim.used_100_at, coalesce(written.used_50, 0) AS used_50,
           coalesce(written.used_80, 0) AS used_80, coalesce(written.used_100, 0) AS used_100,
           coalesce(written.installed, 0) AS installed, coalesce(written.activated, 0) AS activated,
           coalesce(written.depleted, 0) AS depleted, esim.recharges_order_id IS NOT NULL AS is_recharge,
           CASE WHEN o.status <> 'DELIVERED' THEN NULL WHEN esim.depleted_at IS NOT NULL THEN 'EXPIRED'
                WHEN esim.installed_at IS NOT NULL THEN 'ACTIVE' ELSE 'NOT_INSTALLED' END AS expected
      FROM kept CROSS JOIN esim_orders esim
      JOIN orders o ON o.id = esim.order_id
      LEFT JOIN (
        SELECT order_id, count(*) FILTER (WHERE type = 'esim.installed') AS installed,
               count(*) FILTER (WHERE type = 'esim.activated') AS activated,
               count(*) FILTER (WHERE type = 'esim.depleted') AS depleted,
               count(*) FILTER (WHERE type = 'esim.usage' AND data ->> 'threshold_percent' = '50') AS used_50,
               count(*) FILTER (WHERE type = 'esim.usage' AND data ->> 'threshold_percent' = '80') AS used_80,
               count(*) FILTER (WHERE type = 'esim.usage' AND data ->> 'threshold_percent' = '100') AS used_100
          FROM events WHERE type IN ('esim.installed', 'esim.activated', 'esim.depleted', 'esim.usage') GROUP BY order_id
      ) written ON written.order_id = esim.order_id`,
  checks: {
    'esim-event': {
      wrong: [
        ...['installed', 'activated', 'depleted'].map(
          (step) => `${step} = 0 AND coalesce(${step}_at >= since, false) AND ${hasEventOf(step)}`,
        ),
        // Installation and first use are events of the recharged order.
        `is_recharge AND installed + activated > 0`,
        // A passed threshold may have no event: it is written only if an endpoint of the client lists the type.
        ...['installed', 'activated', 'depleted', 'used_50', 'used_80', 'used_100'].map(
          (step) => `${step} > 1 OR ${step} = 1 AND ${step}_at IS NULL`,
        ),
      ].join(' OR '),
      says: `format('events written: %s installed (at %s), %s activated (at %s), %s depleted (at %s), of used data %s of 50 %% (at %s), %s of 80 %% (at %s), %s of 100 %% (at %s)',
               installed, installed_at, activated, activated_at, depleted, depleted_at,
               used_50, used_50_at, used_80, used_80_at, used_100, used_100_at)`,
    },
    'esim-status': {
      // The eSIM profile is stored a moment before its order ends, so only a DELIVERED order has its activation status checked.
      wrong: `status = 'DELIVERED' AND activation_status IS DISTINCT FROM expected
              OR status <> 'DELIVERED' AND NOT is_recharge AND num_nonnulls(installed_at, activated_at, depleted_at) > 0`,
      says: `format('is %s with activation status %s (installed at %s, activated at %s, depleted at %s)', status,
               coalesce(activation_status, 'none'), installed_at, activated_at, depleted_at)`,
    },
  },
};

const entries: Scan = {
  subject: 'transaction',
  rows: `
    WITH ${keptSince}
    SELECT coalesce(entry.id, written.ledger_id) AS id, entry.type, entry.amount, written.type AS event_type,
           written.amount AS event_amount, coalesce(written.events, 0) AS events,
           entry.id IS NOT NULL AND entry.created_at < kept.since AS may_be_gone,
           (entry.type, entry.amount, entry.wallet_id, entry.client_id, entry.currency, entry.reference_number)
             IS DISTINCT FROM
           (written.type, written.amount, written.wallet_id, written.client_id, written.currency, written.reference_number) AS differs
      FROM (SELECT entry.id, entry.amount, entry.wallet_id, entry.client_id, wallet.currency_code AS currency,
                   entry.reference_number, entry.created_at,
                   CASE entry.transaction_type WHEN 'CREDIT' THEN 'wallet.credited' ELSE 'wallet.debited' END AS type
              FROM transactions entry JOIN wallets wallet ON wallet.id = entry.wallet_id
             WHERE entry.status = 'COMPLETED') entry
      FULL JOIN (
        SELECT (data ->> 'ledger_id')::bigint AS ledger_id, count(*) AS events, min(type) AS type,
               min((data ->> 'amount')::numeric) AS amount, min((data ->> 'wallet_id')::integer) AS wallet_id,
               min(client_id) AS client_id, min(data ->> 'currency') AS currency,
               min(data ->> 'reference_number') AS reference_number
          FROM events WHERE type IN ('wallet.credited', 'wallet.debited') GROUP BY 1
      ) written ON written.ledger_id = entry.id
     CROSS JOIN kept`,
  checks: {
    'wallet-event': {
      wrong: 'CASE WHEN events = 0 THEN NOT may_be_gone ELSE events > 1 OR differs END',
      says: `format('%s of %s; %s events were written, %s of %s', coalesce(type, 'no entry'),
               coalesce(trim_scale(amount)::text, 'nothing'), events, coalesce(event_type, 'none'),
               coalesce(trim_scale(event_amount)::text, 'nothing'))`,
    },
  },
};

const subjects: Scan = {
  subject: 'event',
  rows: `
    SELECT event.id, event.type, event.client_id, event.order_id, o.client_id AS order_client
      FROM events event LEFT JOIN orders o ON o.id = event.order_id
     WHERE event.order_id IS NOT NULL`,
  checks: {
    'event-order': {
      wrong: 'client_id IS DISTINCT FROM order_client',
      says: `format('%s notifies client %s of order %s, %s', type, client_id, order_id,
               coalesce('which is of client ' || order_client, 'which does not exist'))`,
    },
  },
};

const deliveries: Scan = {
  subject: 'webhook delivery',
  rows: `
    SELECT delivery.endpoint_id || '/' || delivery.event_sequence AS id, delivery.state,
           endpoint.client_id AS endpoint_client, event.client_id AS event_client
      FROM webhook_deliveries delivery
      LEFT JOIN webhook_endpoints endpoint ON endpoint.id = delivery.endpoint_id
      LEFT JOIN events event ON event.sequence = delivery.event_sequence`,
  checks: {
    'delivery-event': {
      wrong: 'endpoint_client IS NULL OR endpoint_client IS DISTINCT FROM event_client',
      says: `format('%s: its endpoint is of client %s, its event of client %s', state,
               coalesce(endpoint_client::text, 'none'), coalesce(event_client::text, 'none'))`,
    },
  },
};

export const eventScans = [orders, esims, entries, subjects, deliveries];
