/**
 * Model-based tests: random commands against a database and a small model of it, compared after each command; the
 * proof of the ledger after each run. A failure prints its seed: MODEL_SEED=<seed> repeats the runs.
 */
import fc, { type AsyncCommand } from 'fast-check';
import { rows, type Database } from '../../src/data/database/database';
import { verifyLedger } from '../../src/data/ledger-verification';

/** Runs of one model, most commands of one run, and how long the runs may take in all (milliseconds). */
const RUNS = 90;
const COMMANDS = 30;
const TIME_LIMIT_MS = 12_000;

/** How a command changes model and database. It compares what the database answered with the model. */
export interface Step<Model, Real> {
  /** How the counterexample names it. */
  name: string;
  /** Whether it makes sense as the model stands; always where absent. */
  isReady?: (model: Readonly<Model>) => boolean;
  run: (model: Model, real: Real) => Promise<void>;
}

/** Model and database at the beginning of a run, and how they are compared after each command. */
export interface Setup<Model, Real> {
  start: (database: Database) => Promise<{ model: Model; real: Real }>;
  compare: (model: Model, real: Real) => Promise<void>;
}

/** Runs random sequences of the steps. `variants`: how many tests share the runs and the time of the model. */
export async function expectToFollow<Model extends object, Real extends object>(
  database: Database,
  { start, compare }: Setup<Model, Real>,
  steps: fc.Arbitrary<Step<Model, Real>>[],
  variants = 1,
): Promise<void> {
  const proof = new Proof(database);
  const commands = steps.map((arbitrary) => arbitrary.map((step) => commandOf(step, compare)));
  const property = fc.asyncProperty(
    fc.commands(commands, { maxCommands: COMMANDS, size: 'max' }),
    async (run) => {
      const setup = await start(database);
      try {
        await fc.asyncModelRun(() => setup, run);
      } catch (error) {
        await proof.findings();
        throw error;
      }
      expect(await proof.findings()).toEqual([]);
    },
  );
  const { MODEL_SEED: seed } = process.env;
  await fc.assert(property, {
    numRuns: RUNS / variants,
    plugins: [fc.interruptAfterTimeLimit(TIME_LIMIT_MS / variants)],
    ...(seed !== undefined && { seed: Number(seed) }),
  });
}

/** The proof of the ledger, which blames what one run damaged on no later one. */
class Proof {
  private readonly known = new Set<string>();

  constructor(private readonly database: Database) {}

  /** What is wrong and was not before. */
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

/** One of the list, as an arbitrary number points at it; undefined if it is empty. */
export function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(list.length, 1)];
}

/** An amount of minor units as a decimal string. */
export function decimalOf(minorUnits: number, digits: number): string {
  return (minorUnits / 10 ** digits).toFixed(digits);
}

/** What the promise came to: its value, or that it was refused. */
export async function outcomeOf<T>(promise: Promise<T>): Promise<T | 'refused'> {
  try {
    return await promise;
  } catch (error) {
    // What a test would be wrong about is no refusal of the service.
    if (error instanceof TypeError) throw error;
    return 'refused';
  }
}

export interface WalletState {
  /** In minor units. */
  balance: number;
  entries: number;
  /** What the last entry left, in minor units; 0 before the first. */
  balanceAfter: number;
  /** Events wallet.low_balance. */
  lowBalanceEvents: number;
}

/** The wallet as the database has it; `digits` of its currency. */
export async function walletState(
  database: Database,
  walletId: number,
  digits: number,
): Promise<WalletState> {
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
