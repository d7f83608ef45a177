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

/** Made once per stack, never committed. */
export interface Secrets {
  SECRET_KEYS: string;
  SIMULATOR_SECRET: string;
  POSTGRES_PASSWORD: string;
}

/** As dev/sandbox/clients.ts has them. */
const demoClients = ['demo', 'other', 'load', 'restricted', 'poor', 'limited'];

/** Others on this machine see nothing of a stack: its state holds keys, credentials and what was delivered. */
const OWNER_ONLY = 0o700;

/** Makes the folder and those above it. One by one: where none can be made, as in /proc, Node's own way never ends. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
  } catch (error) {
    // Another process has just made it.
    if (!existsSync(path)) throw error;
  }
}

/** What belongs to other stacks, which may be running: those of tests, proofs and benchmarks; and what was measured. */
const KEPT = [
  'lock.json',
  ...['test', 'faults', 'production', 'upgrade', 'previous', 'next', 'bench'],
  ...['bench.json', 'profiles'],
];

/** Paths of the stack's state. */
export class RunDirectory {
  readonly path: string;

  constructor(path: string = process.env['RUN_DIR'] ?? '.run') {
    this.path = resolve(ROOT, path);
    try {
      makeFolder(join(this.path, 'logs'));
      // One that was made before may be open to others.
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

  /** Takes the directory for this process. */
  lock(): void {
    const holder = this.holder();
    if (holder) {
      throw new Problem(
        `The stack already runs from ${this.path} (process ${holder.pid}): stop it first, or set RUN_DIR and other ports to run a second one.`,
      );
    }
    this.writeJson('lock.json', recordOf(process.pid));
  }

  /** Gives the directory back. */
  unlock(): void {
    this.remove('lock.json');
  }

  /** The process that runs the stack, if one does. */
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

  /** The stack's secrets; made when there are none yet. */
  secrets(): Secrets {
    const stored = this.readJson<Secrets>('secrets.json');
    if (stored) return stored;
    const secrets: Secrets = {
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      SIMULATOR_SECRET: randomToken(),
      POSTGRES_PASSWORD: randomToken(),
    };
    this.writeJson('secrets.json', secrets);
    return secrets;
  }

  /** The file with the credentials of the demo clients, which the seeding reads; those that it lacks are made. */
  credentialsFile(): string {
    const stored = this.readJson<Record<string, object>>('credentials.json') ?? {};
    const missing = demoClients.filter((name) => !(name in stored));
    if (missing.length > 0) {
      const made = missing.map((name): [string, object] => [
        name,
        { api_key: `${name}-${randomToken(9)}`, api_secret: randomToken() },
      ]);
      this.writeJson('credentials.json', { ...stored, ...Object.fromEntries(made) });
    }
    return this.file('credentials.json');
  }

  readJson<T>(name: string): T | undefined {
    if (!existsSync(this.file(name))) return undefined;
    return JSON.parse(readFileSync(this.file(name), 'utf8')) as T;
  }

  /** Written whole or not at all, and for the owner's eyes only: every file here holds secrets or is nobody's business. */
  writeJson(name: string, value: object): void {
    const target = this.file(name);
    writeFileSync(`${target}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${target}.new`, target);
  }

  remove(name: string): void {
    rmSync(this.file(name), { force: true });
  }
}

/** A new secret of so many random bytes, as text that any address or setting may hold. */
export function randomToken(bytes = 24): string {
  return randomBytes(bytes).toString('base64url');
}
