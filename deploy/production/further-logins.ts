/**
 * Logins that act as the database's roles. Only the programs of a running stack know the passwords of the roles themselves.
 */
import pg from 'pg';
import { query } from '../../dev/stack/postgres';
import { randomToken } from '../../dev/stack/run-directory';
import type { RoleUrls } from '../../dev/stack/stack-file';
import { roleNames } from '../../src/data/schema/roles';

/**
 * Creates a login for each role, as the owner of the database. PostgreSQL gives its sessions the role and the rights of that
 * role. Returns the URL of each.
 */
export async function furtherLogins(owner: string): Promise<RoleUrls> {
  const names = roleNames(decodeURIComponent(new URL(owner).pathname.slice(1)));
  const urlAs = (role: keyof RoleUrls) => furtherLogin(owner, names[role]);
  return {
    service: await urlAs('service'),
    operator: await urlAs('operator'),
    operatorIdentity: await urlAs('operatorIdentity'),
    memberIdentity: await urlAs('memberIdentity'),
    retention: await urlAs('retention'),
  };
}

async function furtherLogin(owner: string, name: string): Promise<string> {
  const url = new URL(owner);
  url.username = `${name}_next`;
  url.password = randomToken();
  const [role, login] = [name, url.username].map((each) => pg.escapeIdentifier(each));
  await query(owner, `CREATE ROLE ${login} LOGIN PASSWORD ${pg.escapeLiteral(url.password)} IN ROLE ${role}`);
  await query(owner, `ALTER ROLE ${login} SET role = ${role}`);
  return url.href;
}
