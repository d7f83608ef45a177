/** The state of a local stack: `.run/`, or what RUN_DIR names. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from './problem';
import { isRunning, recordOf, type ProcessRecord } from './processes';

const parent = dirname(dirname(__dirname));

/** The root of the checkout, whether this file runs compiled (in `dist/dev/stack`) or is loaded by jest (from `dev/stack`). */
export const ROOT = basename(parent) === 'dist' ? dirname(parent) : parent;

/** Created once per stack, never committed. */
export interface Secrets {
  SECRET_KEYS: string;
  SIMULATOR_SECRET: string;
  POSTGRES_PASSWORD: string;
  OPS_IDENTITY_SECRET: string;
  MEMBER_IDENTITY_SECRET: string;
}

/** The credentials of the service at a fake supplier, and the secret of the fake's callbacks. */
export interface FakeSecrets {
  key: string;
  secret: string;
  callbackSecret: string;
}

/** As dev/sandbox/clients.ts has them. */
const demoClients = ['demo', 'other', 'load', 'restricted', 'poor', 'limited'];

/** Other users of the machine must not read the state: it holds keys, credentials and delivered goods. */
const OWNER_ONLY = 0o700;

/** Creates the folder and its parents one by one. Node's recursive option does not return for a folder such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

/** Kept by `--fresh`: the state of other stacks (tests, proofs, benchmarks), which may run, and measurements. */
const KEPT = [
  'lock.json',
  'test',
  'faults',
  'production',
  'upgrade',
  'previous',
  'next',
  'releases',
  'bench',
  'growth',
  'bench.json',
  'profiles',
];

/** Paths of the stack's state. */
export class RunDirectory {
  readonly path: string;

  constructor(path: string = process.env['RUN_DIR'] ?? '.run') {
    this.path = resolve(ROOT, path);
    try {
      makeFolder(join(this.path, 'logs'));
      // An existing folder may be readable by others.
      chmodSync(this.path, OWNER_ONLY);
      accessSync(this.path, constants.W_OK);
    } catch (error) {
      throw new Problem(
        `The stack keeps its state in ${this.path}, which cannot be written (${(error as NodeJS.ErrnoException).code}): set RUN_DIR to a folder that can.`,
      );
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  log(program: string): string {
    return join(this.path, 'logs', `${program}.log`);
  }

  /** Locks the directory for this process. */
  lock(): void {
    const holder = this.holder();
    if (holder) {
      throw new Problem(
        `The stack already runs from ${this.path} (process ${holder.pid}): stop it first, or set RUN_DIR and other ports to run a second one.`,
      );
    }
    this.writeJson('lock.json', recordOf(process.pid));
  }

  /** Releases the lock. */
  unlock(): void {
    this.remove('lock.json');
  }

  /** The process that runs the stack; undefined if none does. */
  holder(): ProcessRecord | undefined {
    const record = this.readJson<ProcessRecord>('lock.json');
    return record && record.pid !== process.pid && isRunning(record) ? record : undefined;
  }

  /** Deletes all state. */
  clear(): void {
    for (const entry of readdirSync(this.path)) {
      if (!KEPT.includes(entry)) rmSync(this.file(entry), { recursive: true });
    }
    mkdirSync(this.file('logs'));
  }

  /** The stack's secrets. Creates them if they are missing. */
  secrets(): Secrets {
    const stored = this.readJson<Partial<Secrets>>('secrets.json');
    const made: Secrets = {
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      SIMULATOR_SECRET: randomToken(),
      POSTGRES_PASSWORD: randomToken(),
      OPS_IDENTITY_SECRET: randomToken(),
      MEMBER_IDENTITY_SECRET: randomToken(),
    };
    const secrets = { ...made, ...stored };
    if (Object.keys(made).some((name) => !(name in (stored ?? {})))) this.writeJson('secrets.json', secrets);
    return secrets;
  }

  /** The file with the credentials of the demo clients for the seeding. Creates missing credentials. */
  credentialsFile(): string {
    this.completed('credentials.json', demoClients, (name) => ({
      api_key: `${name}-${randomToken(9)}`,
      api_secret: randomToken(),
    }));
    return this.file('credentials.json');
  }

  /** Keeps the token of the local admin, with which the ops CLI of this checkout works. */
  keepOperatorToken(token: string): void {
    this.writeJson('credentials.json', { ...this.readJson<object>('credentials.json'), operator_token: token });
  }

  operatorToken(): string | undefined {
    return this.readJson<{ operator_token?: string }>('credentials.json')?.operator_token;
  }

  /** The secrets of each fake supplier. Creates missing ones. */
  fakeSecrets<Name extends string>(names: readonly Name[]): Record<Name, FakeSecrets> {
    return this.completed('fakes.json', names, () => ({
      key: randomToken(),
      secret: randomToken(),
      callbackSecret: randomToken(),
    }));
  }

  /** The content of the file: a value for each name. Creates missing ones. */
  private completed<Name extends string, Value extends object>(
    file: string,
    names: readonly Name[],
    make: (name: Name) => Value,
  ): Record<Name, Value> {
    const stored = this.readJson<Record<string, Value>>(file) ?? {};
    const missing = names.filter((name) => !(name in stored));
    const values = { ...stored, ...Object.fromEntries(missing.map((name) => [name, make(name)])) };
    if (missing.length > 0) this.writeJson(file, values);
    return values as Record<Name, Value>;
  }

  readJson<T>(name: string): T | undefined {
    if (!existsSync(this.file(name))) return undefined;
    return JSON.parse(readFileSync(this.file(name), 'utf8')) as T;
  }

  /** Writes the file atomically, readable only by its owner. */
  writeJson(name: string, value: object): void {
    const target = this.file(name);
    writeFileSync(`${target}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${target}.new`, target);
  }

  remove(name: string): void {
    rmSync(this.file(name), { force: true });
  }
}

/** A new secret of random bytes, as text that is valid in URLs and settings. */
export function randomToken(bytes = 24): string {
  return randomBytes(bytes).toString('base64url');
}
