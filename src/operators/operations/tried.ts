/** Operations as previews try them: with the checks and the results of the operation, and without an effect. */
import { checkChanges, tryOut } from '../../data/database/acting-person';
import { comparisonText, type Compared } from './comparison';
import type { Context } from './context';

const nothing = () => undefined;

/** Stands for a text of the operator in what is undone: for one that is not given yet, or that may name a person. */
export const UNSAID = '-';

/**
 * Does the work of an operation and undoes it. Throws what the operation would throw, except for changes of prices beyond the limit: the
 * operation itself asks for `--force`, and the preview shows the change. The work changes the database only.
 */
export function tried<Result>(context: Context, work: (trial: Context) => Promise<Result>): Promise<Result> {
  const trial: Context = {
    ...context,
    progress: nothing,
    remark: nothing,
    mark: nothing,
    demandApproval: nothing,
    beyondGuard: () => true,
    onceCommitted: () => Promise.resolve(),
  };
  return tryOut(context.database, () => work(trial));
}

/**
 * Does the whole operation and undoes it. Throws what the operation and the end of its transaction would throw. The operation may change
 * the database and the people only.
 */
export function doneAndUndone(context: Context, run: (trial: Context) => Promise<unknown>): Promise<void> {
  const withTemporal = () => {
    throw new TypeError('A trial changes the database only. Describe the operation with a check, and without a trial.');
  };
  return context.people().undone(async (people) => {
    await tried(context, async (trial) => {
      await run({ ...trial, withTemporal, people: () => people });
      await checkChanges(trial.database);
    });
  });
}

/** What an operation changes of its compared values: it is done and undone. Throws what it throws. */
export async function changedBy<Values>(
  context: Context,
  values: Values,
  {
    compared,
    run,
  }: {
    compared: (context: Context, values: Values) => Promise<Compared>;
    run: (context: Context, values: Values) => Promise<unknown>;
  },
): Promise<string> {
  const before = await compared(context, values);
  const after = await tried(context, async (trial) => {
    await run(trial, values);
    return compared(trial, values);
  });
  return `${before.of}\n${comparisonText(before.values, after.values)}`;
}
