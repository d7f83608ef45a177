/** Making the roles that work on the schema without owning it. docs/decisions/0033-roles-hold-what-they-need.md. */
import pg from 'pg';
import { roleNames } from './grants';

export interface RolePasswords {
  service: string;
  codec: string;
}

/** SQLSTATE: the role is there; whoever asks may not make or change one. */
const DUPLICATE_OBJECT = '42710';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Lets the two roles of the database log in with these passwords, and gives the URL of each. Undefined where the
 * user of the URL may make no roles, or where they are not let in.
 */
export async function ensureRoles(
  url: string,
  passwords: RolePasswords,
): Promise<{ service: string; codec: string } | undefined> {
  const names = roleNames(decodeURIComponent(new URL(url).pathname.slice(1)));
  const urls = {
    service: urlOf(url, names.service, passwords.service),
    codec: urlOf(url, names.codec, passwords.codec),
  };
  try {
    await withClient(url, async (client) => {
      await letIn(client, names.service, passwords.service);
      await letIn(client, names.codec, passwords.codec);
    });
    for (const each of Object.values(urls)) await withClient(each, (client) => client.query('SELECT 1'));
    return urls;
  } catch (error) {
    if (error instanceof pg.DatabaseError && isRefusal(error)) return undefined;
    throw error;
  }
}

/** A refusal to make a role, or (class 28, or a pooler's own word) to let it in. */
function isRefusal({ code = '' }: pg.DatabaseError): boolean {
  return code === INSUFFICIENT_PRIVILEGE || code.startsWith('28') || code.startsWith('08');
}

async function letIn(client: pg.Client, name: string, password: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  await client.query(`CREATE ROLE ${role}`).catch((error: pg.DatabaseError) => {
    if (error.code !== DUPLICATE_OBJECT) throw error;
  });
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
}

function urlOf(owner: string, user: string, password: string): string {
  const url = new URL(owner);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.href;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
