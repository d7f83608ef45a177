/** Carries out operations for people: checks the role, and runs each with the person in every transaction. */
import type { Client } from '@temporalio/client';
import type { OperatorConfig } from '../../settings/config';
import { actingAs, type AuditedDoor } from '../../data/database/acting-person';
import { LONG_STATEMENT_MS, STATEMENT_MS, type Database } from '../../data/database/database';
import { opsIdentity } from '../../domain/audit';
import type { Role } from '../../domain/operators/roles';
import type { People } from '../../identity/people';
import { InvalidArgument, type Given } from '../operations/arguments';
import { obstacleTo } from '../operations/actions';
import { previewByRules, runByRules, type Done } from '../operations/approvals/ruled-calls';
import type { CallListener, Context } from '../operations/context';
import { jsonName } from '../operations/json-arguments';
import { sealedText } from '../operations/order-texts';
import {
  needsSecondFactor,
  type DataOperation,
  type DocumentOperation,
  type Form,
  type Operation,
} from '../operations/operation';
import { operations } from '../operations/operations';
import { readableText, readableBy, visibleRow } from '../operations/visible-costs';
import type { KeyEncryption } from '../../security/key-encryption';
import type { KeyRing } from '../../security/key-ring';
import type { Supplier } from '../../domain/suppliers/port';

/** What operations work with. */
export interface Workplace {
  config: OperatorConfig;
  /** Opened with `isOperated`. */
  database: Database;
  /** The same database for long operations, whose statements would hold the connections of all others. */
  longDatabase: Database;
  keyEncryption: () => KeyEncryption;
  keyRing: () => Promise<KeyRing>;
  suppliers: () => ReadonlyMap<string, Supplier>;
  people: () => People;
  /** A client whose calls carry this identity. Throws if Temporal does not answer. */
  temporalAs: (identity: string) => Promise<Client>;
}

/** Who calls, and how the call arrived. */
export interface Caller {
  /** The account. Unlike the name, it never changes. */
  id: string;
  name: string;
  role: Role;
  /** The operations of a service account. Absent: all of its role. */
  operations?: readonly string[];
  /** Of a service account: the person who answers for it. */
  owner?: string;
  /** Where the person gives the second factor again, before the next operation that changes something. */
  confirmationUrl?: string;
  door: AuditedDoor;
}

/** The caller may not use the operation. */
export class NotAllowed extends Error {}

/** The operation changes something, and the caller gave the second factor too long ago. */
export class SecondFactorNeeded extends Error {
  constructor(readonly confirmationUrl: string) {
    super(`This operation needs a second factor of the last 10 minutes. Give it again at ${confirmationUrl}`);
  }
}

/** Throws `NotAllowed`, which names the roles that may use the operation, and what else the caller lacks. */
export function assertAllowed(caller: Caller, operation: Operation): void {
  const obstacle = obstacleOf(caller, operation);
  if (obstacle !== undefined) throw new NotAllowed(obstacle);
}

/** Why the caller may not use the operation; undefined if it may. */
function obstacleOf({ role, operations: listed, name: caller }: Caller, operation: Operation): string | undefined {
  const { name, roles, givesAccess } = operation;
  if (!roles.includes(role)) return `${name} needs the role ${roles.join(' or ')}; yours is ${role}.`;
  if (listed?.includes(name) === false) return `${name} is not among the operations of ${caller}.`;
  if (listed && givesAccess)
    return `${name} gives access: no service account may use it, because it has no second factor.`;
  return undefined;
}

/**
 * Throws `SecondFactorNeeded` for an operation that changes something if the caller gave the second factor too long ago. A few harmless
 * operations need none.
 */
export function assertConfirmed({ confirmationUrl }: Caller, operation: Operation): void {
  if (confirmationUrl !== undefined && needsSecondFactor(operation)) throw new SecondFactorNeeded(confirmationUrl);
}

/** Hears nothing of a running call. */
export const deaf: CallListener = { progress: () => undefined, remark: () => undefined };

/** The operations of one installation. Every method throws `NotAllowed`, `InvalidArgument`, or an error for operators. */
export class OperatorCalls {
  constructor(private readonly workplace: Workplace) {}

  /** What the operation will do; undefined if there is nothing to confirm. */
  preview(caller: Caller, operation: Operation, given: Given): Promise<string | undefined> {
    return this.work(caller, operation, given, deaf, async (context) => {
      const text = await previewByRules(context, operation, given);
      return text === undefined ? undefined : readableText(caller, text);
    });
  }

  /**
   * The stored values that the operation changes, by the names of its arguments in JSON. Throws also for an operation that changes none,
   * and for a missing subject.
   */
  present(caller: Caller, operation: Operation, given: Given): Promise<object> {
    return this.work(caller, operation, {}, deaf, async (context) => {
      const { present, name } = operation;
      if (!present) throw new InvalidArgument(`present: ${name} begins with no stored values.`);
      const values = Object.entries(await present.read(context, given));
      return visibleRow(caller, Object.fromEntries(values.map(([argument, value]) => [jsonName(argument), value])));
    });
  }

  /**
   * Why the operation cannot be done for these arguments, which need not be complete; undefined if nothing that is known prevents it. The
   * preview and the operation say the same.
   */
  async obstacle(
    caller: Caller,
    operation: Operation,
    known: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    const forbidden = obstacleOf(caller, operation);
    if (forbidden !== undefined) return forbidden;
    return this.work(caller, operation, {}, deaf, async (context) => {
      const text = await obstacleTo(context, operation.name, known);
      return text === undefined ? undefined : readableText(caller, text);
    });
  }

  /** Runs the operation to its end, also if the caller is gone by then. If a rule asks for a second person, proposes it instead. */
  async run(caller: Caller, operation: DataOperation, given: Given, listener: CallListener): Promise<Done> {
    const sealed = await this.withSealedTexts(caller, operation, given);
    return this.work(caller, operation, sealed, listener, async (context) => {
      const done = await runByRules(context, operation, sealed);
      return { ...done, data: readableBy(caller, done.data) };
    });
  }

  /** Hands each part of the document to `write`, and waits for it. No document has costs in sentences. */
  async write(
    caller: Caller,
    operation: DocumentOperation,
    { given, form }: { given: Given; form: Form },
    write: (part: string) => Promise<void>,
  ): Promise<void> {
    await this.work(caller, operation, given, deaf, async (context) => {
      for await (const part of operation.parts(context, given, form)) await write(part);
    });
  }

  /** The arguments with the names of sealed texts in place of a reason and a note about an order, which may name a person. */
  private async withSealedTexts(caller: Caller, operation: Operation, given: Given): Promise<Given> {
    const texts = writtenIn(given);
    if (texts.length === 0) return given;
    // The audit of the storing transaction must not have the reason either.
    const unsaid = { ...given, reason: undefined, reference: undefined };
    return this.work(caller, operation, unsaid, deaf, async (context) => {
      const orderId = await operation.textsAbout(context, given);
      if (orderId === undefined) return given;
      const names = texts.map(async ([name, text]) => [name, await sealedText(context, orderId, text)] as const);
      return { ...given, ...Object.fromEntries(await Promise.all(names)) };
    });
  }

  private work<Result>(
    caller: Caller,
    operation: Operation,
    given: Given,
    listener: CallListener,
    task: (context: Context) => Promise<Result>,
  ): Promise<Result> {
    assertAllowed(caller, operation);
    const reason = reasonIn(given);
    const { name: command, isLong } = operation;
    const { id, name: operator, door, operations: listed, owner: accountable = operator } = caller;
    const person = {
      operator,
      command,
      door,
      reason,
      accountable,
      statementMs: isLong ? LONG_STATEMENT_MS : STATEMENT_MS,
    };
    const { temporalAs, longDatabase, ...workplace } = this.workplace;
    const context: Context = {
      ...workplace,
      ...(isLong && { database: longDatabase }),
      ...listener,
      remark: (sentence) => listener.remark(readableText(caller, sentence)),
      operator,
      role: caller.role,
      reason,
      mark: () => undefined,
      account: { id, accountable, door, isService: listed !== undefined },
      ...withoutRules,
      operationNamed: (name) => {
        const named = operations.find((one) => one.name === name);
        return named && { ...named, isAllowed: obstacleOf(caller, named) === undefined };
      },
      withTemporal: async (use) => use(await temporalAs(opsIdentity(operator)), await workplace.keyRing()),
    };
    return actingAs(person, () => task(context)).catch((error: unknown) => {
      if (error instanceof Error) error.message = readableText(caller, error.message);
      throw error;
    });
  }
}

/** What an operation does that no rule of approval is about. */
const withoutRules: Pick<Context, 'demandApproval' | 'beyondGuard' | 'onceCommitted'> = {
  demandApproval: () => undefined,
  beyondGuard: () => false,
  onceCommitted: (work) => work(),
};

/** The texts of the operator about the object of the operation. */
function writtenIn(given: Given): [name: string, text: string][] {
  return ['reason', 'note'].flatMap((name): [string, string][] => {
    const written = given[name];
    return typeof written === 'string' && written.trim() !== '' ? [[name, written.trim()]] : [];
  });
}

/** The reason of the call. Without one, the reference of a ledger entry is the reason. */
function reasonIn({ reason, reference }: Given): string | undefined {
  const written = reason ?? reference;
  return typeof written === 'string' ? written.trim() : undefined;
}
