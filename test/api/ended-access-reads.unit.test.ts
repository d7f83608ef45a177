/** Reads of ended access ask the database nothing. docs/specification.md#authentication. */
import { openDatabase } from '../../src/data/database/database';
import { rejectEndedAccess } from '../../src/api/middleware/authenticate';

/** No server listens on the port: each statement fails. */
const database = openDatabase('postgres://nobody@127.0.0.1:1/none', 1, { acquireMs: 1_000 });
afterAll(() => database.close());

const caller = { client: { id: 1 }, apiKeyId: 1, memberId: null, sessionId: 'session', hasEnded: false };

/** Runs the check for a call. Rejects if it needs the database. */
function passes(method: string, route: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const locals = { caller, match: { route } };
    const checked: unknown = rejectEndedAccess({ database })({ method } as never, { locals } as never, () => resolve());
    if (checked instanceof Promise) checked.catch(reject);
  });
}

test.each([
  ['GET', {}],
  ['POST', { allowsEndedAccess: true }],
])('When a call with %s only reads (%o), then the session is not read again', async (method, route) => {
  await expect(passes(method, route)).resolves.toBeUndefined();
});

test('When a call writes, then the session is read from the database', async () => {
  await expect(passes('POST', {})).rejects.toThrow('ECONNREFUSED');
});
