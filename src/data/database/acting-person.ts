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
  /** The maximum time that one of its statements may run, in milliseconds. */
  statementMs: number;
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs the work. Every change that it makes in an `OperatedDatabase` is audited as the person's. */
export function actingAs<Result>(person: Acting, work: () => Promise<Result>): Promise<Result> {
  return acting.run(person, work);
}

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
    const [options, work] = typeof first === 'function' ? [{}, first] : [first, second];
    if (!work) return super.transaction(options);
    return super.transaction(options, async (transaction) => {
      await this.namePerson(transaction);
      return work(transaction);
    });
  }

  private async namePerson(transaction: Transaction): Promise<void> {
    const person = acting.getStore();
    // Reads of the process itself, such as those of its keys, are nobody's.
    if (!person) return;
    const { operator, command, door = '', reason = '', statementMs } = person;
    await this.query(
      `SELECT set_config('app.operator', $operator, true), set_config('app.command', $command, true),
              set_config('app.door', $door, true), set_config('app.reason', $reason, true),
              set_config('statement_timeout', $statementMs, true)`,
      { bind: { operator, command, door, reason, statementMs: String(statementMs) }, transaction },
    );
  }
}
