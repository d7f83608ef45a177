/** The clients of a sandbox, who are never to buy anything real. */
import { rows, type Database } from '../database/database';

/** Their names, which no other client has. */
export const demoClientNames = {
  demo: 'Demo Client',
  other: 'Other Client',
  load: 'Load Test Client',
  restricted: 'Restricted Client',
  poor: 'Poor Client',
  limited: 'Limited Client',
} as const;

/** Throws a sentence if one of them could log in: their credentials lie in files of sandboxes. */
export async function refuseDemoClients(database: Database): Promise<void> {
  const active = await rows<{ id: number; name: string }>(
    database,
    `SELECT c.id, c.name FROM clients c
      WHERE c.name = ANY ($names) AND c.status = 'ACTIVE'
        AND EXISTS (SELECT FROM api_keys k WHERE k.client_id = c.id AND k.revoked_at IS NULL) ORDER BY c.id`,
    { names: Object.values(demoClientNames) },
  );
  const [first] = active;
  if (!first) return;
  throw new Error(
    `The database holds ${active.length} demo clients that could log in, which production refuses: suspend each, ` +
      `beginning with npm run ops -- clients suspend "${first.name}".`,
  );
}
