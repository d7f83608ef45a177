/** The demo clients of a sandbox, whose credentials are in files. */
import type pg from 'pg';

/** The names of the demo clients that can log in. */
export async function liveDemoClients(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.name FROM clients c
      WHERE c.is_demo AND c.status = 'ACTIVE'
        AND EXISTS (SELECT FROM api_keys k WHERE k.client_id = c.id AND is_live_key(k.revoked_at, k.expires_at)) ORDER BY c.id`,
  );
  return rows.map(({ name }) => name);
}
