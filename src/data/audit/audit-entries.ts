/** The audit: sensitive calls of clients, and changes by operators. docs/operators/audit.md. */
import type { Actor, AuditEntry, OpsAction } from '../../domain/audit';
import { productNameSql } from '../catalogue/product-names';
import { givenOrNull } from '../database/binds';
import { countRows, rows, type Database, type Transaction } from '../database/database';
import { number, object, orNull, text, time, type RowWith } from '../../domain/row-columns';

const insertStatement = `
  INSERT INTO audit_entries (actor_kind, client_id, api_key_id, member_id, address, request_id, action, object, before, after)
  VALUES ('CLIENT', $clientId, $apiKeyId, $memberId, $address, $requestId, $action, $object, $before::jsonb, $after::jsonb)`;

/** Writes an entry, if possible in the transaction of its change. */
export async function recordAudit(
  database: Database,
  actor: Actor,
  entry: AuditEntry,
  transaction?: Transaction,
): Promise<void> {
  if ('by' in actor) return recordOperation(database, { ...entry, clientId: actor.clientId }, transaction);
  await rows(database, insertStatement, { ...actor, ...valuesOf(entry) }, transaction);
}

const operationStatement = 'SELECT audit_operator($clientId, $action, $object, $before::jsonb, $after::jsonb)';

export interface OperationEntry extends AuditEntry<AuditEntry['action'] | OpsAction> {
  /** The client that the entry is about. */
  clientId?: number;
}

/**
 * Records an action of the ops CLI that no trigger of `rules/audit-entries-stay.sql` records, in the transaction of its change. The database
 * session names the operator.
 */
export async function recordOperation(
  database: Database,
  entry: OperationEntry,
  transaction?: Transaction,
): Promise<void> {
  const binds = { clientId: entry.clientId ?? null, ...valuesOf(entry) };
  await rows(database, operationStatement, binds, transaction);
}

function valuesOf({ action, object, before, after }: AuditEntry<string>) {
  const json = (values: object | undefined) => (values === undefined ? null : JSON.stringify(values));
  return { action, object, before: json(before), after: json(after) };
}

interface MovedMoney {
  kind: string;
  /** Negative for a debit, with as many decimals as the currency has. */
  amount: string;
  balance_after: string;
  currency: string;
  order_id: number | null;
  reference: string;
}

/** An entry as `audit list` shows it. */
export const listedAuditColumns = {
  /** Unique among all entries of the list, for the next page: time and number. */
  id: text,
  at: time,
  actor: text,
  operator: orNull(text),
  database_role: orNull(text),
  /** How the call arrived; null for a local command and for a call that Temporal's history recorded. */
  door: orNull(text),
  command: orNull(text),
  reason: orNull(text),
  /** Who approved the operation; null if it needed no second person. */
  approver: orNull(text),
  client_id: orNull(number),
  client: orNull(text),
  api_key: orNull(text),
  /** The email address of the member who called through the console. */
  member: orNull(text),
  address: orNull(text),
  request_id: orNull(text),
  action: text,
  object: text,
  /** The name of the product that the object is about, such as of a discount; null for other objects. */
  product: orNull(text),
  before: orNull(object<object>()),
  after: orNull(object<object>()),
  /** The entry of the ledger; null if no money moved. */
  moved: orNull(object<MovedMoney>()),
};
export type ListedAudit = RowWith<typeof listedAuditColumns>;

/** The conditions of a search. An undefined condition matches every entry. */
export interface AuditFilter {
  clientId?: number | undefined;
  /** Such as `wallet/12`, or a kind such as `wallet`. A wallet or an order also selects every entry of its ledger. */
  object?: string | undefined;
  /** Any of these objects. */
  objects?: readonly string[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Of the ops CLI, or an identity in Temporal. */
  operator?: string | undefined;
  /** Such as `wallets fund`, or a message to a workflow. */
  command?: string | undefined;
  /** The id of the entry behind which the page begins. */
  after?: string | undefined;
  limit: number;
}

/** SQL: whether the entry is by the operator and the command of the search. Histories of Temporal name operators as `ops/<name>`. */
const isBy = (entry: string) => `
  ($operator::text IS NULL OR ${entry}.operator IN ($operator, 'ops/' || $operator))
  AND ($command::text IS NULL OR ${entry}.command = $command)`;

/** SQL: whether the entry is the copy of a message that has an entry from before it was sent. That entry shows the copy's content. */
const isJoined = `(source IS NOT NULL AND after ? 'message_id')`;

/** SQL: whether the ledger entry `t` corrects the wallet of the order, and its reference or remarks name the order. */
const correctsOrder = `(
  t.kind = 'ADJUSTMENT' AND t.order_id IS NULL AND t.wallet_id = (SELECT wallet_id FROM orders WHERE id = $orderId)
  AND concat_ws(' ', t.reference_number, t.remarks) ~ ('(^|[^0-9])' || $orderId::text || '($|[^0-9])'))`;

/** SQL: the time of the entry behind which the page begins, to the microsecond. */
const afterMoment = `'epoch'::timestamptz + $afterMicros::bigint * interval '1 microsecond'`;

/** SQL: whether the ledger entry `t` is of the period, the client, the operator and the command of the search. */
const isWanted = `
  ($clientId::integer IS NULL OR t.client_id = $clientId)
  AND ($since::timestamptz IS NULL OR t.created_at >= $since)
  AND ($until::timestamptz IS NULL OR t.created_at < $until)
  AND ($afterId::bigint IS NULL OR (t.created_at, t.id) < (${afterMoment}, $afterId))
  AND (($operator::text IS NULL AND $command::text IS NULL) OR t.id IN (SELECT id FROM posted))`;

/** SQL for what an entry `t` of the ledger moved, as `ListedAudit` has it. */
const movement = `
  jsonb_build_object(
    'kind', t.kind, 'currency', wallet.currency_code, 'order_id', t.order_id, 'reference', t.reference_number,
    'amount', CASE t.transaction_type WHEN 'DEBIT' THEN '-' ELSE '' END || decimal_text(t.amount, wallet.currency_code),
    'balance_after', decimal_text(t.balance_after, wallet.currency_code))`;

/** SQL: the name of the product in the object `discount/<client>/<family>/<product>`. */
const productOfObject = `
  CASE WHEN object ~ '^(discount|blacklist)/' THEN
    ${productNameSql("split_part(object, '/', 3)", "split_part(object, '/', 4)::integer")} END`;

// Each part of the ledger has an index of its own. Without an audit entry `transaction.created`, a ledger entry was posted by the
// service itself, so its actor is SERVICE.
//
// Rejected: EXISTS with an entry for each `t`, which looks up every entry of a wallet when few are by the operator.
const listStatement = `
  WITH posted AS (
    SELECT substr(object, length('transaction/') + 1)::bigint AS id FROM audit_entries entry
     WHERE action = 'transaction.created' AND ${isBy('entry')}
  ), moved AS (
    SELECT t.id, t.client_id, t.created_at, ${movement} AS moved
      FROM ((SELECT * FROM transactions t WHERE t.wallet_id = $walletId AND ${isWanted} ORDER BY t.sequence DESC LIMIT $limit)
            UNION ALL
            (SELECT * FROM transactions t WHERE t.order_id = $orderId AND ${isWanted})
            UNION ALL
            (SELECT * FROM transactions t WHERE ${correctsOrder} AND ${isWanted})) t
      JOIN wallets wallet ON wallet.id = t.wallet_id
     ORDER BY t.created_at DESC, t.id DESC LIMIT $limit
  ), listed AS (
    (SELECT at, id AS position, actor_kind AS actor, operator, database_role, door, command, reason, approver, client_id, api_key_id,
            member_id, address, request_id, action, object, before, after, NULL::jsonb AS moved
       FROM audit_entries
      WHERE ($clientId::integer IS NULL OR client_id = $clientId)
        AND ($object::text IS NULL OR object = $object)
        AND ($objects::text[] IS NULL OR object = ANY ($objects))
        AND ($objectKind::text IS NULL OR split_part(object, '/', 1) = $objectKind)
        AND ($since::timestamptz IS NULL OR at >= $since)
        AND ($until::timestamptz IS NULL OR at < $until)
        AND ($afterId::bigint IS NULL OR (at, id) < (${afterMoment}, $afterId))
        AND ${isBy('audit_entries')} AND NOT ${isJoined}
      ORDER BY at DESC, id DESC LIMIT $limit)
    UNION ALL
    SELECT moved.created_at, moved.id, coalesce(entry.actor_kind, 'SERVICE'), operator, database_role, door, command, reason, approver,
           moved.client_id, api_key_id, member_id, address, request_id, 'transaction.created', 'transaction/' || moved.id, before, after,
           moved.moved
      FROM moved LEFT JOIN audit_entries entry
        ON entry.action = 'transaction.created' AND entry.object = 'transaction/' || moved.id
  )
  SELECT (extract(epoch FROM at) * 1000000)::bigint || '-' || position AS id, at, actor, operator, database_role, door, command, reason, approver,
         listed.client_id, client.name AS client, key.api_key, member.email AS member,
         address, request_id, coalesce(copy.action, listed.action) AS action, object,
         ${productOfObject} AS product, coalesce(copy.before, listed.before) AS before,
         listed.after - 'message_id' || coalesce(copy.after - 'message_id', '{}') AS after,
         coalesce(listed.moved, posting.moved) AS moved
    FROM listed LEFT JOIN LATERAL (
      SELECT action, before, after FROM audit_entries
       WHERE object = listed.object AND after ->> 'message_id' = listed.after ->> 'message_id' AND ${isJoined} LIMIT 1) copy ON true
    LEFT JOIN LATERAL (
      SELECT ${movement} AS moved FROM transactions t JOIN wallets wallet ON wallet.id = t.wallet_id
       WHERE t.id = CASE WHEN listed.action = 'transaction.created' THEN substr(listed.object, length('transaction/') + 1)::bigint END
    ) posting ON listed.moved IS NULL
    LEFT JOIN api_keys key ON key.id = listed.api_key_id
    LEFT JOIN members member ON member.id = listed.member_id
    LEFT JOIN clients client ON client.id = listed.client_id
   ORDER BY at DESC, position DESC LIMIT $limit`;

/** The newest entries first, at most `limit`. */
export function listAudit(
  database: Database,
  { clientId, object, objects, since, until, operator, command, after, limit }: AuditFilter,
) {
  const idAfter = (kind: string) => new RegExp(`^${kind}/([0-9]{1,9})$`).exec(object ?? '')?.[1] ?? null;
  const isKind = object !== undefined && !object.includes('/');
  const [micros, position] = after?.split('-') ?? [];
  return rows<ListedAudit>(database, listStatement, {
    ...givenOrNull({ object: isKind ? undefined : object, objectKind: isKind ? object : undefined, objects }),
    ...givenOrNull({ clientId, since, until, operator, command, afterMicros: micros, afterId: position }),
    limit,
    walletId: idAfter('wallet'),
    orderId: idAfter('order'),
  });
}

// Ids rise with time, so the statement reads only the entries with the lowest ids.
const deleteStatement = `
  DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM (SELECT id, at FROM audit_entries ORDER BY id LIMIT $limit) oldest
     WHERE at < clock_timestamp() - audit_retention())
  RETURNING id`;

/**
 * Deletes the oldest entries whose retention has ended (`rules/audit-entries-stay.sql`), at most `limit`. Returns their number.
 * `auditDatabase`: logged in as the retention role. If that role exists, PostgreSQL rejects a deletion by any other role.
 */
export function deleteOldAudit(auditDatabase: Database, limit: number) {
  return countRows(auditDatabase, deleteStatement, { limit });
}
