/** Codes and wrong codes for an address, as the sign-in counts them. */
import type { IdentitySchema } from '../../src/data/identity/identity-pool';
import { rows, type Database } from '../../src/data/database/database';

/** As if 30 codes had been mailed and wrong, ten from each of three networks: no new browser gets a code. */
export async function lockOut(database: Database, schema: IdentitySchema, email: string): Promise<void> {
  await rows(
    database,
    `WITH networks AS (
       INSERT INTO ${schema}.network_code_counts
       SELECT $email, network, 10, now(), now() + interval '1 day'
         FROM unnest(ARRAY['127.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24']) network
       ON CONFLICT (email, network) DO UPDATE SET wrong = 10, paused_until = excluded.paused_until),
     mailed AS (
       INSERT INTO ${schema}.network_mail_counts VALUES ($email, '127.0.0.0/24', 10, now())
       ON CONFLICT (email, network) DO UPDATE SET sent = 10),
     of_mailbox AS (
       INSERT INTO ${schema}.mail_code_counts VALUES ($email, 30, now()) ON CONFLICT (email) DO UPDATE SET sent = 30)
     INSERT INTO ${schema}.wrong_code_counts VALUES ($email, 30, now(), now() + interval '1 day')
     ON CONFLICT (email) DO UPDATE SET wrong = 30, paused_until = excluded.paused_until`,
    { email },
  );
}

/** The counts that are kept, of all networks together first. */
export async function wrongCodesOf(database: Database, schema: IdentitySchema, email: string): Promise<number[]> {
  const counts = await rows<{ wrong: number }>(
    database,
    `SELECT wrong FROM ${schema}.wrong_code_counts WHERE email = $email
     UNION ALL SELECT wrong FROM ${schema}.network_code_counts WHERE email = $email`,
    { email },
  );
  return counts.map(({ wrong }) => wrong);
}
