/** What an operation gets besides its arguments. */
import type { Client } from '@temporalio/client';
import type { OperatorConfig } from '../../settings/config';
import type { Database } from '../../data/database/database';
import type { Role } from '../../domain/operators/roles';
import type { People } from '../../identity/people';
import type { KeyEncryption } from '../../security/key-encryption';
import type { KeyRing } from '../../security/key-ring';
import type { Supplier } from '../../domain/suppliers/port';
import type { ApprovalKind, Demand } from '../../domain/approvals';
import type { AuditedDoor } from '../../data/database/acting-person';
import type { Arguments, Given } from './arguments';

/** Reports progress. Callers may call it often: only some reports are shown. */
export type Progress = (sentence: string) => void;

/** What a call reports while it runs. */
export interface CallListener {
  progress: Progress;
  /** A remark in addition to the result, such as a supplier that lists no catalogue. */
  remark: (sentence: string) => void;
}

/** An operation as another one names it. */
export interface NamedOperation {
  name: string;
  /** What its button says. */
  button: string;
  about: string;
  arguments: Arguments;
  /** Who may use it. */
  roles: readonly Role[];
  /** Whether the caller may use it. */
  isAllowed: boolean;
  /** No service account may use it. */
  givesAccess: boolean;
  approval?: ApprovalKind;
  preview?: (context: Context, given: Given) => Promise<string | undefined>;
  basis?: (context: Context, given: Given) => Promise<string>;
  /** As in `Operation`. */
  requireOther?: (context: Context, given: Given, accountable: string) => Promise<void>;
  hasCheck: boolean;
  trial?: 'PREVIEW' | 'NONE';
  /** Throws what its check says about the arguments that are given, as in `Operation`. */
  check: (context: Context, known: Given) => Promise<void>;
  /** As in `DataOperation`. */
  assertPossible?: (context: Context, given: Given) => Promise<void>;
  effect: 'reads' | 'changes' | 'money';
  /** What the reason and the note are about, as in `Operation`. */
  textsAbout: (context: Context, given: Given) => Promise<number | null | undefined>;
  /** Absent if the operation writes a document. */
  run?: (context: Context, given: Given) => Promise<unknown>;
}

/** The account that calls. */
export interface Account {
  /** Unlike a name, it never changes. */
  id: string;
  isService: boolean;
  /** Who answers for it: the person, or the owner of a service account. */
  accountable: string;
  door: AuditedDoor;
}

export interface Context extends CallListener {
  database: Database;
  config: OperatorConfig;
  /** The name of the person or service account, as in the audit. */
  operator: string;
  role: Role;
  account: Account;
  /** The operation with the name; undefined if there is none. */
  operationNamed: (name: string) => NamedOperation | undefined;
  /** The reason that the operator gave; without one, the reference of the ledger entry. */
  reason: string | undefined;
  /** Marks the result: 1 if something is wrong or failed in part, 2 if a part needs `--force`. The exit code of the command. */
  mark: (code: 1 | 2) => void;
  /** Says that the operation needs a second person. Nothing that it does is then kept, and it is proposed. */
  demandApproval: (demand: Demand) => void;
  /** Says that a price or rate changes by more than the limit. False if no rule asks for a second person instead of `--force`. */
  beyondGuard: (why: string) => boolean;
  /** Does what must follow the commit of the operation, such as the start of a workflow that reads what the operation wrote. */
  onceCommitted: (work: () => Promise<void>) => Promise<void>;
  /** Encrypts data keys. Throws if SECRET_KEYS is not set. */
  keyEncryption: () => KeyEncryption;
  /** The data keys of the service. */
  keyRing: () => Promise<KeyRing>;
  /** The configured suppliers. They share access tokens and rate limits with the service. */
  suppliers: () => ReadonlyMap<string, Supplier>;
  /** The people who may sign in. */
  people: () => People;
  /** Connects to Temporal in the operator's name. */
  withTemporal: <T>(work: (temporal: Client, keyRing: KeyRing) => Promise<T>) => Promise<T>;
}
