/** What a value of a ticket names besides orders: a ledger entry, or a client by its API key. */
import { rows, type Database } from '../database/database';

/** A ledger entry. `amount`: a decimal string. */
export interface NamedTransaction {
  id: number;
  wallet_id: number;
  client_id: number;
  client: NamedClient;
  order_id: number | null;
  kind: string;
  amount: string;
  currency: string;
}

// Orders' entries have references of their orders, and are found by these.
const transactionStatement = `
SELECT t.id, t.wallet_id, t.client_id, t.order_id, t.kind, decimal_text(t.amount, wallet.currency_code) AS amount,
       wallet.currency_code AS currency, json_build_object('id', client.id, 'name', client.name, 'status', client.status) AS client
  FROM (SELECT * FROM transactions WHERE id = $id UNION
        SELECT * FROM transactions WHERE reference_number = $reference AND order_id IS NULL) t
  JOIN wallets wallet ON wallet.id = t.wallet_id JOIN clients client ON client.id = t.client_id
 ORDER BY t.id DESC LIMIT $limit`;

/** The ledger entries with the id, and the fundings and adjustments with the reference. */
export function findTransactions(
  database: Database,
  { id, reference, limit }: { id: number | undefined; reference: string; limit: number },
) {
  return rows<NamedTransaction>(database, transactionStatement, { id: id ?? null, reference, limit });
}

/** The client of the API key, also of a revoked one. */
export function findClientOfKey(database: Database, apiKey: string) {
  return rows<NamedClient>(
    database,
    `SELECT client.id, client.name, client.status
       FROM api_keys key JOIN clients client ON client.id = key.client_id WHERE key.api_key = $apiKey`,
    { apiKey },
  );
}

export interface NamedClient {
  id: number;
  name: string;
  status: string;
}
