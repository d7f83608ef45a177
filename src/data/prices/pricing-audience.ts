/** Which clients see the same catalogue at the same prices. */
import { oneRow, type Database } from '../database/database';

export interface PricingAudience {
  /** Clients with equal names see the same. */
  name: string;
  /** False if the client has discounts, hidden products or margin rules of its own or its group. */
  isShared: boolean;
}

/** SQL: the audience of $clientId. Only a margin floor makes what is on sale depend on the wallets. */
export const pricingAudience = `
  SELECT NOT own AS "isShared", concat_ws(' ', CASE WHEN own THEN $clientId::text END, wallets) AS name
    FROM (SELECT EXISTS (SELECT FROM client_discounts WHERE client_id = $clientId)
              OR EXISTS (SELECT FROM client_blacklist WHERE client_id = $clientId)
              OR EXISTS (SELECT FROM margin_rules rule JOIN clients client ON client.id = $clientId
                          WHERE rule.client_id = client.id OR rule.client_group = client.client_group) AS own,
                 (SELECT string_agg(currency_code || CASE WHEN is_default THEN '*' ELSE '' END, ' ' ORDER BY currency_code, id)
                    FROM wallets
                   WHERE client_id = $clientId AND closed_at IS NULL AND ($walletId::bigint IS NULL OR id = $walletId)
                     AND EXISTS (SELECT FROM margin_rules WHERE min_margin_percent IS NOT NULL)) AS wallets) client`;

/** The audience of the client. `walletId`: the wallet that pays, if it is known. */
export function findPricingAudience(database: Database, clientId: number, walletId?: number): Promise<PricingAudience> {
  const binds = { clientId, walletId: walletId ?? null };
  return oneRow<PricingAudience>(database, pricingAudience, binds);
}
