/**
 * Model-based tests: random commands run against a database and a small model, which are compared after each command.
 * The ledger is verified after each run. A failure prints its seed, and MODEL_SEED=<seed> repeats the runs.
 */
import fc, { type AsyncCommand } from 'fast-check';
import { rows, type Database } from '../../src/data/database/database';
import { verifyLedger } from '../../src/data/ledger-verification';

/** The number of runs of one model, the highest number of commands in a run, and the time for all runs in milliseconds. */
const RUNS = 90;
const COMMANDS = 30;
const TIME_LIMIT_MS = 8_000;

/** Runs a command on model and database, and compares the database's answer with the model's. */
export interface Step<Model, Real> {
  /** The command's name in a counterexample. */
  name: string;
  /** Whether the command applies to the model's current state. If absent, it always applies. */
  isReady?: (model: Readonly<Model>) => boolean;
  run: (model: Model, real: Real) => Promise<void>;
}

/** The initial model and database of a run, and their comparison after each command. */
export interface Setup<Model, Real> {
  start: (database: Database) => Promise<{ model: Model; real: Real }>;
  compare: (model: Model, real: Real) => Promise<void>;
}

/** Runs random sequences of the steps. `variants` is the number of tests that share the runs and the time of the model. */
export async function expectToFollow<Model extends object, Real extends object>(
  database: Database,
  { start, compare }: Setup<Model, Real>,
  steps: fc.Arbitrary<Step<Model, Real>>[],
  variants = 1,
): Promise<void> {
  const proof = new Proof(database);
  const commands = steps.map((arbitrary) => arbitrary.map((step) => commandOf(step, compare)));
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS, size: 'max' }), async (run) => {
    const setup = await start(database);
    try {
      await fc.asyncModelRun(() => setup, run);
    } catch (error) {
      await proof.findings();
      throw error;
    }
    expect(await proof.findings()).toEqual([]);
  });
  const { MODEL_SEED: seed } = process.env;
  await fc.assert(property, {
    numRuns: RUNS / variants,
    plugins: [fc.interruptAfterTimeLimit(TIME_LIMIT_MS / variants)],
    ...(seed !== undefined && { seed: Number(seed) }),
  });
}

/** Verifies the ledger, and does not report the damage of one run again in later runs. */
class Proof {
  private readonly known = new Set<string>();

  constructor(private readonly database: Database) {}

  /** The new findings since the last check. */
  async findings(): Promise<string[]> {
    const { findings } = await verifyLedger(this.database, 100);
    const fresh = findings
      .map(({ check, subject, detail }) => `${check}: ${subject} ${detail}`)
      .filter((finding) => !this.known.has(finding));
    fresh.forEach((finding) => this.known.add(finding));
    return fresh;
  }
}

function commandOf<Model extends object, Real>(
  { name, isReady, run }: Step<Model, Real>,
  compare: Setup<Model, Real>['compare'],
): AsyncCommand<Model, Real> {
  return {
    check: (model) => isReady?.(model) ?? true,
    run: async (model, real) => {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => name,
  };
}

/** The element that an arbitrary number selects; undefined if the list is empty. */
export function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(list.length, 1)];
}

/** An amount of minor units as a decimal string. */
export function decimalOf(minorUnits: number, digits: number): string {
  return (minorUnits / 10 ** digits).toFixed(digits);
}

/** The value of the promise, or 'refused' if it was rejected. */
export async function outcomeOf<T>(promise: Promise<T>): Promise<T | 'refused'> {
  try {
    return await promise;
  } catch (error) {
    // A TypeError is an error of the test, not a rejection by the service.
    if (error instanceof TypeError) throw error;
    return 'refused';
  }
}

export interface WalletState {
  /** In minor units. */
  balance: number;
  entries: number;
  /** The balance after the last entry, in minor units; 0 before the first. */
  balanceAfter: number;
  /** The number of wallet.low_balance events. */
  lowBalanceEvents: number;
}

/** The wallet's state in the database. `digits` is the number of decimal digits of its currency. */
export async function walletState(database: Database, walletId: number, digits: number): Promise<WalletState> {
  const [wallet] = await rows<WalletState>(
    database,
    `SELECT (balance * 10 ^ $digits::integer)::bigint AS balance, entry_count AS entries,
            coalesce((SELECT (balance_after * 10 ^ $digits::integer)::bigint FROM transactions
                       WHERE wallet_id = $walletId ORDER BY sequence DESC LIMIT 1), 0) AS "balanceAfter",
            (SELECT count(*) FROM events WHERE client_id = wallets.client_id AND type = 'wallet.low_balance'
                AND data ->> 'wallet_id' = wallets.id::text) AS "lowBalanceEvents"
       FROM wallets WHERE id = $walletId`,
    { walletId, digits },
  );
  return wallet as WalletState;
}
