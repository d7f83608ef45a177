/** People who use operations on a database of their own, each with an account and a role, as the operators' process runs them. */
import type { Client } from '@temporalio/client';
import { loadConfig } from '../../src/settings/config';
import { oneRow, openDatabase, rows } from '../../src/data/database/database';
import { openIdentityPool } from '../../src/data/identity/identity-pool';
import { ensureDataKeys } from '../../src/data/keys/data-keys';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import type { Role } from '../../src/domain/operators/roles';
import { namesOf, recordOf } from '../../src/domain/records';
import { People } from '../../src/identity/people';
import type { IdentitySettings } from '../../src/identity/settings';
import type { Done } from '../../src/operators/operations/approvals/ruled-calls';
import type { CallListener } from '../../src/operators/operations/context';
import type { DataOperation, DocumentOperation, Operation } from '../../src/operators/operations/operation';
import { givenIn } from '../../src/operators/operations/json-arguments';
import { operations } from '../../src/operators/operations/operations';
import { deaf, OperatorCalls, type Caller } from '../../src/operators/server/calls';
import { openWorkplace } from '../../src/operators/server/workplace';
import { LocalKeyEncryption, readSecretKeys } from '../../src/security/key-encryption';
import { ownSecretKeys } from './operator';
import type { ScratchDatabase } from '../../dev/testbed/scratch-database';

/** One account. */
export interface OperatingPerson {
  /** What operations remarked. */
  remarks: string[];
  run(operation: string, given?: object): Promise<Done>;
  /** The document that the operation writes. */
  read(operation: string, given?: object): Promise<string>;
  preview(operation: string, given?: object): Promise<string | undefined>;
  /** What keeps the operation from being offered; undefined if nothing that is known does. */
  obstacle(operation: string, known?: Readonly<Record<string, unknown>>): Promise<string | undefined>;
}

interface OperatingPeople {
  /** The account of this name, as a person with the role, or as a service account of `owner` with the id. `door`: of a person. */
  as(name: string, role: Role, service?: { owner: string; id?: number }, door?: Caller['door']): OperatingPerson;
  /** The workflows that operations have started, by their ids. No Temporal runs them. */
  started: string[];
  close(): Promise<void>;
}

/** The account that gets dollars. */
export const ourAccount = { beneficiary: 'Digital Goods Ltd', iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22XXX' };

const accountOf = (name: string) => `account-${name}`;

/** Stores an active person, whose proposals can be approved, and whom rules of approval count. */
export async function storePerson({ database }: ScratchDatabase, name: string, role: Role): Promise<void> {
  await rows(
    database,
    `INSERT INTO identity_operators."user" (id, name, email, "emailVerified", role)
     VALUES ($id, $name, $email, true, $role)`,
    { id: accountOf(name), name, email: `${name}@people.example`, role },
  );
}

/** Stores a service account of `owner` with one operation. Returns its id. */
export async function storeServiceAccount(
  { database }: ScratchDatabase,
  account: { name: string; role: Role; owner: string; operation: string },
): Promise<number> {
  const { id } = await oneRow<{ id: number }>(
    database,
    `INSERT INTO identity_operators.service_accounts (name, role, operations, networks, created_by, owner_id, expires_at, token_hash)
     VALUES ($name::text, $role, ARRAY[$operation], '{}', $owner, $ownerId, now() + interval '1 day', sha256($name::text::bytea)) RETURNING id`,
    { ...account, ownerId: accountOf(account.owner) },
  );
  return id;
}

/**
 * People for the tests of the file or `describe` that calls it: `people`, and a stored, active person of each name with its role.
 * `settings`: those of the environment that differ from the usual ones, when the hooks run.
 */
export function useOperatingPeople<Name extends string = never>(
  scratch: ScratchDatabase,
  roles: Readonly<Record<Name, Role>> = {} as Readonly<Record<Name, Role>>,
  settings: () => NodeJS.ProcessEnv = () => ({}),
) {
  let opened: OperatingPeople | undefined;
  beforeAll(async () => {
    for (const name of namesOf(roles)) await storePerson(scratch, name, roles[name]);
    opened = await operatingPeople(scratch, settings());
  });
  afterAll(() => opened?.close());
  const open = (): OperatingPeople => {
    if (!opened) throw new Error('The people exist only while hooks and tests run.');
    return opened;
  };
  const as = (...account: Parameters<OperatingPeople['as']>): OperatingPerson => {
    let made: OperatingPerson | undefined;
    const person = () => (made ??= open().as(...account));
    return {
      get remarks() {
        return person().remarks;
      },
      run: (...call) => person().run(...call),
      read: (...call) => person().read(...call),
      preview: (...call) => person().preview(...call),
      obstacle: (...call) => person().obstacle(...call),
    };
  };
  const people = {
    as,
    get started() {
      return open().started;
    },
  };
  return { people, ...recordOf(namesOf(roles), (name) => as(name, roles[name])) };
}

/** `settings`: those of the environment that differ from the usual ones. */
export async function operatingPeople(
  { url, database: owner }: ScratchDatabase,
  settings: NodeJS.ProcessEnv = {},
): Promise<OperatingPeople> {
  const encryption = new LocalKeyEncryption(readSecretKeys(ownSecretKeys));
  await ensureDataKeys(owner, encryption);
  const config = configFor(url, settings);
  const database = openDatabase(url, 10, { isOperated: true });
  const pool = openIdentityPool(url, 'identity_operators');
  const mailer = { sendMail: () => Promise.reject(new Error('No test sends a mail')) };
  // As in production, which has no local admin. People need no other setting here.
  const identity = { mode: 'production', restMinutes: 30 } as IdentitySettings;
  const people = new People({ pool, mailer, settings: identity });
  const workplace = openWorkplace({
    config,
    database,
    longDatabase: database,
    keyEncryption: () => encryption,
    keyRing: () => loadKeyRing(owner, encryption),
    people: () => people,
  });
  const started: string[] = [];
  const workflow = {
    signalWithStart: (_type: string, options: { workflowId: string }) =>
      Promise.resolve(void started.push(options.workflowId)),
  };
  const temporalAs = () => Promise.resolve({ workflow } as unknown as Client);
  const calls = new OperatorCalls({ ...workplace, temporalAs });
  return {
    started,
    as(name, role, service, door = 'CLI') {
      const kind = service ? { operations: operations.map((one) => one.name), owner: service.owner } : {};
      const id = service ? `service-${service.id ?? 0}` : accountOf(name);
      const caller: Caller = { id, name, role, door: service ? 'API' : door, ...kind };
      const remarks: string[] = [];
      const listener: CallListener = { ...deaf, remark: (sentence) => void remarks.push(sentence) };
      return {
        remarks,
        run: async (named, given = {}) => {
          const operation = operationOf(named) as DataOperation;
          return calls.run(caller, operation, givenIn(operation.arguments, given), listener);
        },
        read: async (named, given = {}) => {
          const operation = operationOf(named) as DocumentOperation;
          const parts: string[] = [];
          const call = { given: givenIn(operation.arguments, given), form: 'json' } as const;
          await calls.write(caller, operation, call, (part) => Promise.resolve(void parts.push(part)));
          return parts.join('');
        },
        preview: async (named, given = {}) => {
          const operation = operationOf(named);
          return calls.preview(caller, operation, givenIn(operation.arguments, given));
        },
        obstacle: (named, known = {}) => calls.obstacle(caller, operationOf(named), known),
      };
    },
    async close() {
      await workplace.close();
      await pool.end();
    },
  };
}

function operationOf(name: string): Operation {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

function configFor(url: string, settings: NodeJS.ProcessEnv) {
  const before = { ...process.env };
  try {
    Object.assign(process.env, {
      DATABASE_URL: url,
      SECRET_KEYS: ownSecretKeys,
      SIMULATOR_SECRET: 'a'.repeat(32),
      BANK_ACCOUNTS: JSON.stringify({ USD: ourAccount }),
      ...settings,
    });
    return loadConfig();
  } finally {
    process.env = before;
  }
}
