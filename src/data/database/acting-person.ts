/**
 * The person for whom a call works. Each transaction of the operators' process names the person, the operation and the reason, so that the
 * triggers of the audit record them. No connection carries them, because many people share a pool.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Sequelize, type Transaction, type TransactionOptions } from 'sequelize';

/** The ways by which a call of an operator arrives. */
export type AuditedDoor = 'CLI' | 'API' | 'PAGE' | 'TEMPORAL';

/** What the audit records about each change of one call. */
export interface Acting {
  /** The name of a person or of a service account. */
  operator: string;
  /** The operation, such as `wallets fund`. */
  command: string;
  /** Absent for a local command. */
  door?: AuditedDoor;
  reason: string | undefined;
  /** Whose money the rules of approval count: the person, or the owner of a service account. Absent for a local command. */
  accountable?: string;
  /** Who approved the operation. The operator is then its proposer. */
  approver?: string;
  /** The maximum time that one of its statements may run, in milliseconds. */
  statementMs: number;
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs the work. Every change that it makes in an `OperatedDatabase` is audited as the person's. */
export function actingAs<Result>(person: Acting, work: () => Promise<Result>): Promise<Result> {
  return acting.run(person, work);
}

/** Runs the work as another person of the same call, such as the proposer of an operation that the caller approves. */
export function actingInstead<Result>(changed: Partial<Acting>, work: () => Promise<Result>): Promise<Result> {
  const person = acting.getStore();
  if (!person) throw new Error('No person acts here.');
  return acting.run({ ...person, ...changed }, work);
}

/** The transaction that everything joins which the current work does in its database. */
const joined = new AsyncLocalStorage<Transaction>();

/** That transaction; undefined outside of one. */
export const joinedTransaction = (): Transaction | undefined => joined.getStore();

/**
 * Runs the work in one transaction: what it changes is kept or undone as a whole. A transaction that the work begins, and a statement
 * outside of one, becomes a savepoint, so an error that the work catches undoes only its part. Only for an `OperatedDatabase`.
 */
export function inOneTransaction<Result>(database: Sequelize, work: () => Promise<Result>): Promise<Result> {
  return database.transaction(async (transaction) => {
    const result = await joined.run(transaction, work);
    // Before COMMIT: Sequelize closes the connection of a COMMIT that fails.
    await database.query(checkStatement, { transaction });
    return result;
  });
}

const checkStatement = 'SET CONSTRAINTS ALL IMMEDIATE';

/** Throws now what the end of the transaction of the current work would throw about the changes so far. */
export async function checkChanges(database: Sequelize): Promise<void> {
  await database.transaction((transaction) => database.query(checkStatement, { transaction }));
}

/** Like `inOneTransaction`. Joins the transaction in which the current work already runs. */
export function atomically<Result>(database: Sequelize, work: () => Promise<Result>): Promise<Result> {
  return joined.getStore() ? work() : inOneTransaction(database, work);
}

/**
 * Runs the work of an `inOneTransaction`. Undoes what it changed if `isKept` says no to its result. Throws what the work throws, and
 * has then undone it, too.
 */
export async function keptIf<Result>(
  database: Sequelize,
  work: () => Promise<Result>,
  isKept: (result: Result) => boolean,
): Promise<Result> {
  const undone: { result: Result }[] = [];
  try {
    return await database.transaction(async () => {
      const result = await work();
      if (isKept(result)) return result;
      undone.push({ result });
      throw new Undone();
    });
  } catch (error) {
    if (error instanceof Undone && undone[0]) return undone[0].result;
    throw error;
  }
}

/**
 * Does the work and undoes what it changed. Returns its result, and throws what it throws. So a preview rejects what the operation
 * rejects. The audit keeps nothing of it, and gets no reason.
 */
export function tryOut<Result>(database: Sequelize, work: () => Promise<Result>): Promise<Result> {
  const undone = () => keptIf(database, work, () => false);
  return actingInstead({ reason: undefined }, () => atomically(database, undone));
}

/** Ends a part of a transaction without an effect. */
class Undone extends Error {}

type Work<Result> = (transaction: Transaction) => PromiseLike<Result>;

/** The database of the operators' process. `rows` runs a statement without a transaction in one of its own. */
export class OperatedDatabase extends Sequelize {
  override transaction<Result>(options: TransactionOptions, work: Work<Result>): Promise<Result>;
  override transaction<Result>(work: Work<Result>): Promise<Result>;
  override transaction(options?: TransactionOptions): Promise<Transaction>;
  override transaction<Result>(
    first: TransactionOptions | Work<Result> = {},
    second?: Work<Result>,
  ): Promise<Result | Transaction> {
    const [own, work] = typeof first === 'function' ? [{}, first] : [first, second];
    // Directly below the outermost one: Sequelize names a savepoint of a savepoint like the first one, and would undo the wrong part.
    const outermost = joined.getStore();
    const options = outermost ? { ...own, transaction: outermost } : own;
    if (!work) return super.transaction(options);
    return super.transaction(options, async (transaction) => {
      await this.namePerson(transaction);
      return work(transaction);
    });
  }

  private async namePerson(transaction: Transaction): Promise<void> {
    const person = acting.getStore();
    // Reads of the process itself, such as those of its keys, have no person.
    if (!person) return;
    const { operator, command, door = '', reason = '', accountable = '', approver = '', statementMs } = person;
    await this.query(
      `SELECT set_config('app.operator', $operator, true), set_config('app.command', $command, true),
              set_config('app.door', $door, true), set_config('app.reason', $reason, true),
              set_config('app.accountable', $accountable, true), set_config('app.approver', $approver, true),
              set_config('statement_timeout', $statementMs, true)`,
      {
        bind: { operator, command, door, reason, accountable, approver, statementMs: String(statementMs) },
        transaction,
      },
    );
  }
}
