/** Making the roles that work on the schema without owning it. docs/decisions/0033-give-each-role-only-what-it-needs.md. */
import pg from 'pg';
import { roleNames, roles, type Role } from './grants';

/** The URL of the database as each role. */
export type RoleUrls = Record<Role, string>;

/** SQLSTATE: the role is there; whoever asks may not make or change one. */
const DUPLICATE_OBJECT = '42710';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Lets the roles of the database log in with these passwords, and returns the URL of each. Undefined if the user of the URL
 * may make no roles, or if they are not let in.
 */
export async function ensureRoles(
  url: string,
  passwords: Readonly<Record<Role, string>>,
): Promise<RoleUrls | undefined> {
  const names = roleNames(decodeURIComponent(new URL(url).pathname.slice(1)));
  const urlAs = (role: Role) => urlOf(url, names[role], passwords[role]);
  const urls = { service: urlAs('service'), codec: urlAs('codec'), retention: urlAs('retention') };
  try {
    await withClient(url, async (client) => {
      for (const role of roles) await letIn(client, names[role], passwords[role]);
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
