/** Creates the roles of a sandbox's database. In production, `deploy/postgres-config/roles.sh` creates them. */
import pg from 'pg';
import { databaseRoles, roleNames, type DatabaseRole } from '../../src/data/schema/roles';

/** The database URL of each role. */
export type RoleUrls = Record<DatabaseRole, string>;

/** SQLSTATE: the role exists; the user has no right to create or change roles. */
const DUPLICATE_OBJECT = '42710';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Creates the roles of the database with these passwords, and returns the URL of each. Undefined if the user of the URL may not
 * create roles, or if the roles cannot log in.
 */
export async function ensureRoles(
  url: string,
  passwords: Readonly<Record<DatabaseRole, string>>,
): Promise<RoleUrls | undefined> {
  const names = roleNames(decodeURIComponent(new URL(url).pathname.slice(1)));
  const urlAs = (role: DatabaseRole) => urlOf(url, names[role], passwords[role]);
  const urls = {
    service: urlAs('service'),
    operator: urlAs('operator'),
    operatorIdentity: urlAs('operatorIdentity'),
    memberIdentity: urlAs('memberIdentity'),
    retention: urlAs('retention'),
  };
  try {
    await withClient(url, async (client) => {
      for (const role of databaseRoles) await createLogin(client, names[role], passwords[role]);
    });
    for (const each of Object.values(urls)) await withClient(each, (client) => client.query('SELECT 1'));
    return urls;
  } catch (error) {
    if (error instanceof pg.DatabaseError && isRejection(error)) return undefined;
    throw error;
  }
}

/** Whether the right to create a role is missing, or a login failed (SQLSTATE class 28; class 08 from a pooler). */
function isRejection({ code = '' }: pg.DatabaseError): boolean {
  return code === INSUFFICIENT_PRIVILEGE || code.startsWith('28') || code.startsWith('08');
}

async function createLogin(client: pg.Client, name: string, password: string): Promise<void> {
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
