/**
 * Jest's runner with two pools of workers: one for tests that mostly wait, with twice as many workers, and one for the
 * others. Jest itself has one pool for all: its workers are either too many for tests that compute, or too few for those
 * that wait.
 */
import TestRunner, { EmittingTestRunner } from 'jest-runner';
import { nameOf, waitingTests } from './groups.mjs';

export default class RunnerWithTwoPools extends EmittingTestRunner {
  constructor(globalConfig, context) {
    super(globalConfig, context);
    const waiting = { ...globalConfig, maxWorkers: 2 * globalConfig.maxWorkers };
    this.pools = [new TestRunner(waiting, context), new TestRunner(globalConfig, context)];
  }

  async runTests(tests, watcher, options) {
    const [waiting, computing] = this.pools;
    if (options.serial) return computing.runTests(tests, watcher, options);
    const waits = ({ path }) => waitingTests.includes(nameOf(path));
    await Promise.all([
      runSome(waiting, tests.filter(waits), watcher, options),
      runSome(
        computing,
        tests.filter((test) => !waits(test)),
        watcher,
        options,
      ),
    ]);
  }

  on(event, listener) {
    const unsubscribe = this.pools.map((pool) => pool.on(event, listener));
    return () => unsubscribe.forEach((each) => each());
  }
}

/** A pool starts its workers even for no test. */
async function runSome(pool, tests, watcher, options) {
  if (tests.length > 0) await pool.runTests(tests, watcher, options);
}
