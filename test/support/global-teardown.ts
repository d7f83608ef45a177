import { openDatabase } from '../../src/data/database/database';
import { verifyLedger } from '../../src/data/ledger-verification';
import { readStackFile, type LaunchedStack } from '../../dev/stack/launch';
import { removeDatabasesInMemory } from './memory';

/**
 * Stops the stack, if the set-up started it. Fails the run if its ledger does not add up, because a run on the stack of
 * `npm start` would leave the same damage.
 */
export default async function globalTeardown(): Promise<void> {
  const { ownStack: stack, scratchTemplate } = globalThis;
  await scratchTemplate?.drop();
  if (!stack) return;
  const findings = await findingsOf(stack).finally(() => stack.stop());
  removeDatabasesInMemory();
  if (findings.length > 0) throw new Error(`The tests left a ledger that does not add up:\n${findings.join('\n')}`);
}

/** The findings of `ledger verify`, one a line. */
async function findingsOf(stack: LaunchedStack): Promise<string[]> {
  const database = openDatabase(readStackFile(stack.file).database_url, 1);
  try {
    const { findings } = await verifyLedger(database, 20);
    return findings.map(({ check, subject, detail }) => `${check}  ${subject}  ${detail}`);
  } finally {
    await database.close();
  }
}
