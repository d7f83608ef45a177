/** What a whole value of a ticket names besides the beginnings that `beginnings.ts` finds. */
import type { ClaimState } from '../../domain/orders/claim-kinds';
import type { Family } from '../../domain/orders/families';
import { firstRow, rows, type Database } from '../database/database';

export interface NamedClient {
  id: number;
  name: string;
  status: string;
}

/** SQL: the client of a row as a `NamedClient`. */
const asNamed = `json_build_object('id', client.id, 'name', client.name, 'status', client.status) AS client`;

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

// Orders' entries have references of their orders, and are found by these. A reference of operators is found however it is written.
const transactionStatement = `
SELECT t.id, t.wallet_id, t.client_id, t.order_id, t.kind, decimal_text(t.amount, wallet.currency_code) AS amount,
       wallet.currency_code AS currency, ${asNamed}
  FROM (SELECT * FROM transactions WHERE id = $id UNION
        SELECT * FROM transactions WHERE order_id IS NULL AND reference_number = ANY (ARRAY(
          SELECT $reference UNION SELECT reference FROM operator_references WHERE key = reference_key($reference)))) t
  JOIN wallets wallet ON wallet.id = t.wallet_id JOIN clients client ON client.id = t.client_id
 ORDER BY t.id DESC LIMIT $limit`;

/** The ledger entries with the id, and those without an order that have the reference. */
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

/** What has a number of its own. */
export interface Numbered {
  kind: 'client' | 'wallet' | 'claim' | 'endpoint';
  client: NamedClient;
  /** The currency of the wallet, what the claim is about, or the URL of the endpoint. */
  name: string | null;
  /** Of a claim. */
  state: ClaimState | null;
}

const numberStatement = `
SELECT numbered.kind, numbered.name, numbered.state, ${asNamed}
  FROM (SELECT 'client' AS kind, id AS client_id, NULL AS name, NULL AS state FROM clients WHERE id = $id
        UNION ALL SELECT 'wallet', client_id, currency_code, NULL FROM wallets WHERE id = $id
        UNION ALL SELECT 'claim', client_id, 'about order ' || order_id, state FROM claims WHERE id = $id
        UNION ALL SELECT 'endpoint', client_id, url, NULL FROM webhook_endpoints WHERE id = $id) numbered
  JOIN clients client ON client.id = numbered.client_id`;

/** The client, the wallet, the claim and the webhook endpoint with the number. */
export function findNumbered(database: Database, id: number) {
  return rows<Numbered>(database, numberStatement, { id });
}

/** A product, or that of a variant, which its name then has. */
export interface NumberedProduct {
  kind: 'product' | 'variant';
  family: Family;
  id: number;
  name: string;
}

const productOfVariant = (family: Family, products: string, variants: string) => `
  SELECT 'variant', '${family}', product.id, product.name || ', variant ' || variant.id || ': ' || variant.name
    FROM ${variants} variant JOIN ${products} product ON product.id = variant.product_id WHERE variant.id = $id`;

const productStatement = `
SELECT 'product' AS kind, 'VOUCHER' AS family, id, name FROM voucher_products WHERE id = $id
 UNION ALL SELECT 'product', 'TOPUP', id, name FROM topup_products WHERE id = $id
 UNION ALL SELECT 'product', 'ESIM', id, name FROM esim_products WHERE id = $id
 UNION ALL ${productOfVariant('TOPUP', 'topup_products', 'topup_variants')}
 UNION ALL ${productOfVariant('ESIM', 'esim_products', 'esim_variants')}`;

/** The products of all families with the number, and those whose variant has it. */
export function findNumberedProducts(database: Database, id: number) {
  return rows<NumberedProduct>(database, productStatement, { id });
}

/** A refund after delivery. */
export interface NamedRefund {
  order_id: number;
  number: number;
}

const refundStatement = `
SELECT order_id, number FROM order_refunds WHERE order_id = $orderId AND number = $number
 UNION
SELECT refund.order_id, refund.number
  FROM operator_references known
  JOIN order_refunds refund ON refund.order_id = known.order_id AND reference_key(refund.reference) = known.key
 WHERE known.key = reference_key($reference)
 ORDER BY order_id DESC, number LIMIT $limit`;

/** The named refund, and those to which operators gave the reference, however it is written. */
export function findRefunds(
  database: Database,
  { named, reference, limit }: { named: NamedRefund | undefined; reference: string; limit: number },
): Promise<NamedRefund[]> {
  const binds = { orderId: named?.order_id ?? null, number: named?.number ?? null, reference, limit };
  return rows<NamedRefund>(database, refundStatement, binds);
}

/** A funding request. */
export interface NamedFunding {
  id: number;
  wallet_id: number;
  client: NamedClient;
}

const fundingStatement = `
SELECT request.id, request.wallet_id, ${asNamed}
  FROM funding_requests request JOIN clients client ON client.id = request.client_id
 WHERE request.reference = upper(regexp_replace($reference, '\\s', '', 'g'))`;

/** The funding request with the reference that a transfer states, which banks write in groups. */
export function findFundings(database: Database, reference: string) {
  return rows<NamedFunding>(database, fundingStatement, { reference });
}

/** An event of a client. */
export interface NamedEvent {
  type: string;
  order_id: number | null;
  client: NamedClient;
}

/** The event with the id, which webhooks send as `webhook-id`, while it is kept. */
export function findNamedEvent(database: Database, id: string) {
  return firstRow<NamedEvent>(
    database,
    `SELECT event.type, event.order_id, ${asNamed}
       FROM events event JOIN clients client ON client.id = event.client_id WHERE event.id = $id`,
    { id },
  );
}

/** An order request. */
export interface NamedRequest {
  /** Of its order, if it is placed. */
  order_id: number;
  state: string;
  client: NamedClient;
}

const requestStatement = `
-- plan: order_reservations_by_request
SELECT reservation.order_id, reservation.state, ${asNamed}
  FROM order_reservations reservation JOIN clients client ON client.id = reservation.client_id
 WHERE reservation.request_id = $requestId ORDER BY reservation.order_id DESC LIMIT $limit`;

/** The order requests with the `X-Request-Id`, while their reservations are kept. */
export function findRequests(
  database: Database,
  { requestId, limit }: { requestId: string; limit: number },
): Promise<NamedRequest[]> {
  return rows<NamedRequest>(database, requestStatement, { requestId, limit });
}
