/** What a client has done on the way to its first real order. docs/clients/going-live.md. */
import { oneRow, type Database } from '../database/database';

export interface FirstSteps {
  /** A valid API key. */
  hasKey: boolean;
  hasOrder: boolean;
  /** An order of a program, in the log of requests. */
  hasProgramOrder: boolean;
  /** An enabled endpoint that accepted the test of its URL. */
  hasEndpoint: boolean;
  /** An enabled endpoint that receives refunds. */
  hasRefundEvents: boolean;
  /** A failure of the sandbox that the client has rehearsed lately. */
  hasRehearsal: boolean;
  hasNetworks: boolean;
  /** A low-balance threshold for each open wallet. */
  hasThresholds: boolean;
}

const statement = `
WITH endpoint AS (
  SELECT event_types, verified_at FROM webhook_endpoints
   WHERE client_id = $clientId AND enabled AND deleted_at IS NULL
)
SELECT EXISTS (SELECT FROM api_keys WHERE client_id = $clientId AND revoked_at IS NULL
                                      AND (expires_at IS NULL OR expires_at > now())) AS "hasKey",
       EXISTS (SELECT FROM orders WHERE client_id = $clientId) AS "hasOrder",
       EXISTS (SELECT FROM api_requests WHERE client_id = $clientId AND order_id IS NOT NULL
                                          AND method = 'POST' AND NOT of_console) AS "hasProgramOrder",
       EXISTS (SELECT FROM endpoint WHERE verified_at IS NOT NULL) AS "hasEndpoint",
       EXISTS (SELECT FROM endpoint WHERE takes_event(event_types, 'order.refunded')
                                       OR takes_event(event_types, 'topup.refunded')
                                       OR takes_event(event_types, 'esim.refunded')) AS "hasRefundEvents",
       EXISTS (SELECT FROM sandbox_faults WHERE client_id = $clientId) AS "hasRehearsal",
       EXISTS (SELECT FROM clients WHERE id = $clientId AND allowed_cidrs <> '{}') AS "hasNetworks",
       NOT EXISTS (SELECT FROM wallets WHERE client_id = $clientId AND closed_at IS NULL
                                         AND low_balance_threshold IS NULL) AS "hasThresholds"`;

export function readFirstSteps(database: Database, clientId: number): Promise<FirstSteps> {
  return oneRow(database, statement, { clientId });
}
