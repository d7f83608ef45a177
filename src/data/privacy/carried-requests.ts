/** Requests about recipients, carried over a restore: the restored database may have the recipients of erased orders again. */
import { countRows, rows, type Database } from '../database/database';
import { erasePending } from './erasures';
import type { CarriedRequest } from './carried-columns';

/** All requests, oldest first. */
export function listRequests(database: Database) {
  return rows<CarriedRequest>(
    database,
    `SELECT action, client_id, kind, encode(recipient_hash, 'hex') AS recipient_hash, requested_at::text AS requested_at,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'nonce', o.nonce) ORDER BY o.id), '[]')
               FROM order_erasures erasure JOIN orders o ON o.id = erasure.order_id WHERE erasure.request_id = request.id) AS orders
       FROM privacy_requests request ORDER BY id`,
  );
}

const addStatement = `
INSERT INTO privacy_requests (action, client_id, kind, recipient_hash, requested_at)
SELECT given.action, (SELECT id FROM clients WHERE id = given.client_id), given.kind, decode(given.recipient_hash, 'hex'), given.requested_at
  FROM jsonb_to_recordset($requests::jsonb)
    AS given (action text, client_id integer, kind text, recipient_hash text, requested_at timestamptz)
 WHERE NOT EXISTS (SELECT FROM privacy_requests known
                    WHERE known.recipient_hash = decode(given.recipient_hash, 'hex')
                      AND known.requested_at = given.requested_at AND known.action = given.action)
 ORDER BY given.requested_at RETURNING id`;

const markStatement = `
INSERT INTO order_erasures (order_id, request_id)
SELECT o.id, request.id
  FROM jsonb_to_recordset($requests::jsonb) AS given (action text, recipient_hash text, requested_at timestamptz, orders jsonb)
 CROSS JOIN jsonb_to_recordset(given.orders) AS named (id bigint, nonce text)
  JOIN orders o ON o.id = named.id AND o.nonce = named.nonce
  JOIN privacy_requests request ON request.recipient_hash = decode(given.recipient_hash, 'hex')
   AND request.requested_at = given.requested_at AND request.action = given.action
ON CONFLICT (order_id) DO NOTHING RETURNING order_id`;

/** The result of `applyRequests`. `pending`: orders that are open or have a due mail, which maintenance erases later. */
export interface AppliedRequests {
  requests: number;
  orders: number;
  erased: number;
  pending: number;
}

/**
 * Adds the requests that the database lacks, marks their orders, and erases those that have ended. Omits orders that the database does
 * not have. Harmless if repeated or interrupted.
 */
export async function applyRequests(database: Database, given: readonly CarriedRequest[]): Promise<AppliedRequests> {
  const binds = { requests: JSON.stringify(given) };
  const requests = await countRows(database, addStatement, binds);
  const orders = await countRows(database, markStatement, binds);
  let erased = 0;
  let more: number;
  do {
    more = await erasePending(database);
    erased += more;
  } while (more > 0);
  const left = await rows(database, 'SELECT FROM order_erasures WHERE erased_at IS NULL');
  return { requests, orders, erased, pending: left.length };
}
