/** The tables of the sign-in are ours, and the library finds in them all that it needs. */
import { getMigrations } from 'better-auth/db/migration';
import { openIdentityPool } from '../../src/data/identity/identity-pool';
import { libraryOptions } from '../../src/identity/library';
import { capturedLog } from '../support/captured-log';
import { scratchDatabase } from '../support/scratch-database';

const scratch = scratchDatabase();

test('When the library compares its tables with the migrations, then it has nothing to add', async () => {
  const pool = openIdentityPool(scratch.url, 'identity_operators');
  try {
    const settings = {
      ...({ mode: 'sandbox', origin: 'http://127.0.0.1', title: 'Goods', databaseUrl: scratch.url } as const),
      ...({
        schema: 'identity_operators',
        secret: 'a secret of the tests',
        cookiePrefix: 'operators',
      } as const),
      ...{ restMinutes: 30, sessionHours: 12, requiresSecondFactor: false, provider: undefined },
    };
    const mailer = { sendMail: () => Promise.resolve() };
    const options = libraryOptions({ settings, pool, mailer, log: capturedLog().log });
    const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems } = await getMigrations(options);
    expect({ toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems }).toEqual({
      toBeCreated: [],
      toBeAdded: [],
      toBeAddedIndexes: [],
      schemaProblems: [],
    });
  } finally {
    await pool.end();
  }
});
