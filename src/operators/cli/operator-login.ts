/**
 * Logins of the ops CLI at the operators' process (RFC 8628). The token lies in the user's configuration folder, readable by its
 * owner only. docs/operators/people.md#the-ops-cli.
 */
import { byWord } from '../../domain/by-word';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { momentOf, second } from '../../domain/time';
import { callOperators } from './operators-process';

export interface Login {
  /** The operators' process. */
  url: string;
  token: string;
  expiresAt: string;
}

/** Where the login of this user lies. */
export function loginFile(environment: NodeJS.ProcessEnv = process.env): string {
  const folder = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(folder, 'digital-goods', 'ops.json');
}

/** The stored login; undefined without one, or if it has expired. */
export function readLogin(environment?: NodeJS.ProcessEnv): Login | undefined {
  try {
    const login = JSON.parse(readFileSync(loginFile(environment), 'utf8')) as Login;
    return new Date() < (momentOf(login.expiresAt) ?? 0) ? login : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a login in place of another one. At no moment can another user read it. */
export function storeLogin(login: Login, environment?: NodeJS.ProcessEnv): void {
  const file = loginFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(login)}\n`, { mode: 0o600 });
  renameSync(partial, file);
}

export function forgetLogin(environment?: NodeJS.ProcessEnv): void {
  rmSync(loginFile(environment), { force: true });
}

interface Authorization {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  interval: number;
}

/**
 * Asks for a token and waits until a person approves it in a browser. `say` receives the sentence with address and code. Throws one
 * sentence if the person denies, or does not approve within 10 minutes.
 */
export async function logInOperator(
  url: string,
  {
    say,
    waitMs = (seconds) => seconds * second,
  }: { say: (text: string) => void; waitMs?: (seconds: number) => number },
): Promise<Login> {
  const machine = `${userInfo().username}@${hostname()}`;
  const begun = await post(url, '/identity/device/code', { client_id: 'ops', machine });
  if (begun.status !== 200) throw new Error(`${url} gives no login (status ${begun.status}). Check the address.`);
  const authorization = begun.body as unknown as Authorization;
  const { device_code, user_code, verification_uri_complete } = authorization;
  say(`Open ${verification_uri_complete} and approve the code ${user_code}.`);
  for (let { interval } = authorization; ;) {
    await sleep(waitMs(interval));
    const { body } = await post(url, '/identity/device/token', { client_id: 'ops', device_code });
    const { access_token: token, expires_in: seconds, error } = body;
    if (typeof token === 'string')
      return { url, token, expiresAt: new Date(Date.now() + Number(seconds) * second).toISOString() };
    if (error === 'slow_down') interval += 5;
    else if (error !== 'authorization_pending') throw new Error(rejections[String(error)] ?? OTHER_REJECTION);
  }
}

const rejections = byWord({
  access_denied: 'The login was denied.',
  expired_token: 'The login was not approved within 10 minutes. Log in again.',
});
const OTHER_REJECTION = 'The login was rejected. Log in again.';

/** Ends the session of the login at the operators' process. */
export async function logOutOperator(login: Login): Promise<void> {
  await callOperators(login, '/identity/session', { method: 'DELETE' });
}

/** Who the login is; undefined if its session has ended. */
export async function whoAmI(
  login: Pick<Login, 'url' | 'token'>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await callOperators(login, '/identity/person', { method: 'GET' });
  return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
}

async function post(url: string, path: string, body: object) {
  const response = await callOperators({ url }, path, { method: 'POST', body });
  return { status: response.status, body: (await response.json().catch(() => ({}))) as Record<string, unknown> };
}
