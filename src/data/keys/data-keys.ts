/** Data keys as they are stored. docs/decisions/0028-data-keys-are-wrapped.md. */
import type { KeyPurpose } from '../../security/key-ring';
import { rows, type Database } from '../database';

/** A key that is not retired. */
export interface StoredKey {
  purpose: KeyPurpose;
  id: string;
  wrapped: Buffer;
  wrappingKeyId: string;
  /** Null as long as it only opens and verifies. */
  promotedAt: Date | null;
}

/** What a key is called in commands, and what it is bound to when it is wrapped. */
export function nameOf({ purpose, id }: Pick<StoredKey, 'purpose' | 'id'>): string {
  return `${purpose}/${id}`;
}

const columns = 'purpose, id, wrapped, wrapping_key_id AS "wrappingKeyId", promoted_at AS "promotedAt"';
const promotedFirst = 'ORDER BY promoted_at DESC NULLS LAST, id';

/** All keys that are not retired, of each purpose the promoted one first. */
export async function listDataKeys(database: Database): Promise<StoredKey[]> {
  const statement = `SELECT ${columns} FROM data_keys WHERE retired_at IS NULL ${promotedFirst}`;
  return rows<StoredKey>(database, statement);
}

/** The same of payload keys alone, for whoever may read no others. */
export async function listPayloadKeys(database: Database): Promise<StoredKey[]> {
  return rows<StoredKey>(database, `SELECT ${columns} FROM payload_keys ${promotedFirst}`);
}
