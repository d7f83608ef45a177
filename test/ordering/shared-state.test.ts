/** The state of a supplier that all processes share. Each `sharedState` stands for a process. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { sharedState } from '../../src/ordering/purchasing/shared-tokens-and-turns';
import { Sealer } from '../../src/security/sealing';
import type { TurnKind } from '../../src/domain/suppliers/shared-state';
import { bearerAuthorization } from '../../src/suppliers/kit/bearer-authorization';
import type { IssuedToken, SharedState } from '../../src/domain/suppliers/shared-state';
import { useDatabase } from '../support/clients';
import { stackKeyRing } from '../../dev/testbed/stack-keys';

const database = useDatabase();
let sealer: Sealer;
beforeAll(async () => {
  sealer = new Sealer(await stackKeyRing());
});

/** Three processes that call the same new supplier. */
function processes(): { supplier: string; states: SharedState[] } {
  const supplier = `test-${randomUUID()}`;
  return { supplier, states: [1, 2, 3].map(() => sharedState({ database, sealer: () => sealer }, supplier)) };
}

/** Ends the time in which no further token of the supplier is requested. */
const endClaim = (supplier: string) =>
  sql(database)`UPDATE supplier_tokens SET claimed_until = now() WHERE supplier = ${supplier}`;

/** Issues the tokens `first`, `second`, ... Each takes 300 ms. */
function issuer(lifetimeMs = 3_600_000) {
  const names = ['first', 'second', 'third', 'fourth'];
  return jest.fn(async (): Promise<IssuedToken> => {
    const value = names.shift() ?? 'too many';
    await sleep(300);
    return { value, expiresAt: new Date(Date.now() + lifetimeMs) };
  });
}

describe('access tokens', () => {
  test('When three processes need a token concurrently, then one requests it, and all use it', async () => {
    const { states } = processes();
    const issue = issuer();
    const calls = states.flatMap((state) => [state.token('api', issue), state.token('api', issue)]);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['first']));
    expect(issue).toHaveBeenCalledTimes(1);
  });

  test('When the supplier rejects the token of many calls, then it is replaced once', async () => {
    const { supplier, states } = processes();
    const issue = issuer();
    await Promise.all(states.map((state) => state.token('api', issue)));
    await endClaim(supplier);
    const calls = states.flatMap((state) => [state.token('api', issue, 'first'), state.token('api', issue, 'first')]);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['second']));
    expect(await states[0]?.token('api', issue, 'first')).toBe('second');
    expect(issue).toHaveBeenCalledTimes(2);
  });

  test('When less than a minute of its lifetime is left, then the token is replaced', async () => {
    const { supplier, states } = processes();
    const issue = issuer(59_000);
    expect(await states[0]?.token('api', issue)).toBe('first');
    await endClaim(supplier);
    expect(await states[1]?.token('api', issue)).toBe('second');
  });

  test('When a supplier has two tokens, then each name has its own token', async () => {
    const { states } = processes();
    const issue = issuer();
    expect(await states[0]?.token('topups', issue)).toBe('first');
    expect(await states[1]?.token('giftcards', issue)).toBe('second');
    expect(await states[2]?.token('topups', issue)).toBe('first');
  });

  test('When a request for a token fails, or its token is refused at once, then no other request follows within seconds', async () => {
    const failing = processes().states;
    const fails = jest.fn(async (): Promise<IssuedToken> => {
      throw new Error('no token today');
    });
    await expect(failing[0]?.token('api', fails)).rejects.toThrow('no token today');
    const refusing = processes();
    const issue = issuer();
    expect(await refusing.states[0]?.token('api', issue)).toBe('first');

    const notYet = 'the next one may not be requested yet';
    await Promise.all([
      expect(failing[1]?.token('api', fails)).rejects.toThrow(notYet),
      expect(refusing.states[0]?.token('api', issue, 'first')).rejects.toThrow(notYet),
      expect(refusing.states[1]?.token('api', issue, 'first')).rejects.toThrow(notYet),
    ]);
    expect(fails).toHaveBeenCalledTimes(1);
    expect(issue).toHaveBeenCalledTimes(1);
    await endClaim(refusing.supplier);
    expect(await refusing.states[0]?.token('api', issue, 'first')).toBe('second');
  });

  test('When a process of low priority stops during its request, then another one requests the token within seconds', async () => {
    const { supplier, states } = processes();
    const bulk = sharedState({ database, sealer: () => sealer, hasLowPriority: true }, supplier);
    const requested = new Promise<void>((resolve) => {
      void bulk.token('api', () => {
        resolve();
        return new Promise<IssuedToken>(() => undefined);
      });
    });
    await requested;
    expect(await states[0]?.token('api', issuer())).toBe('first');
  });

  test('When a process of low priority gets its token, then no other request follows within seconds', async () => {
    const { supplier } = processes();
    const bulk = sharedState({ database, sealer: () => sealer, hasLowPriority: true }, supplier);
    const issue = issuer();
    expect(await bulk.token('api', issue)).toBe('first');
    await expect(bulk.token('api', issue, 'first')).rejects.toThrow('may not be requested yet');
  });

  test('When every fresh token is refused, then at most three are requested in a minute', async () => {
    const { supplier, states } = processes();
    const issue = issuer();
    await states[0]?.token('api', issue);
    const [row] = await sql(database)<{ seconds: number }>`SELECT extract(epoch
         FROM claimed_until - clock_timestamp())::float8 AS seconds
                   FROM supplier_tokens WHERE supplier = ${supplier}`;
    // A request is sent at most 15 s after its claim.
    expect(3 * ((row?.seconds ?? 0) + 1) - 15).toBeGreaterThanOrEqual(60);
  });

  test('When the clock of the database was set back during a request for a token, then another process requests it', async () => {
    const { supplier, states } = processes();
    await states[0]?.token('api', issuer(0));
    await sql(database)`UPDATE supplier_tokens SET claimed_until = now() + interval '1 hour'
         WHERE supplier = ${supplier}`;
    expect(await states[1]?.token('api', issuer())).toBe('first');
  });

  test('When the credentials change, then a new token is requested', async () => {
    const { states } = processes();
    const issue = issuer();
    const call = { method: 'GET', path: '/', query: '', body: Buffer.alloc(0) } as const;
    const shown = async (secret: string) =>
      bearerAuthorization(states[0] as SharedState, 'api', ['https://supplier.example', secret], issue).authorization(
        call,
      );
    expect(await shown('old')).toEqual({ authorization: 'Bearer first' });
    expect(await shown('old')).toEqual({ authorization: 'Bearer first' });
    expect(await shown('new')).toEqual({ authorization: 'Bearer second' });
  });

  test('When the database is read, then it does not reveal the token', async () => {
    const { supplier, states } = processes();
    await states[0]?.token('api', issuer());
    const [row] = await sql(database)<{ text: string; sealed: Buffer }>`
      SELECT t::text AS text, sealed_token AS sealed FROM supplier_tokens t WHERE supplier = ${supplier}`;
    expect(row?.text).not.toContain('first');
    expect(row?.sealed.toString('latin1')).not.toContain('first');
  });
});

describe('turns', () => {
  test('When three processes call as often as they may, then their calls together stay within the limit', async () => {
    const { states } = processes();
    const beganAt = performance.now();
    let calls = 0;
    const caller = async (state: SharedState, kind: TurnKind) => {
      while (performance.now() - beganAt < 4_000) {
        await state.turn(20, kind);
        calls += 1;
      }
    };
    await Promise.all(states.flatMap((state) => [caller(state, 'purchase'), caller(state, 'patient')]));
    const seconds = (performance.now() - beganAt) / 1_000;
    expect(calls / seconds).toBeLessThanOrEqual(20);
    expect(calls).toBeGreaterThan(20);
  });

  test('When many lookups wait, then a purchase does not wait for them, and lookups that would wait too long fail', async () => {
    const [one, two] = processes().states as [SharedState, SharedState];
    const lookUps = Promise.allSettled(Array.from({ length: 10 }, () => one.turn(1, 'patient')));
    const startedAt = performance.now();
    await two.turn(1, 'purchase');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const failed = (await lookUps).flatMap((call) => (call.status === 'rejected' ? [call.reason as Error] : []));
    expect(failed.length).toBeGreaterThan(5);
    expect(failed[0]).toMatchObject({ name: 'SupplierUnavailable', retryAfterMs: 5_000 });
  });

  test('When other reads fill the lane, then a lookup still gets a turn', async () => {
    const [one, two] = processes().states as [SharedState, SharedState];
    // A turn each 0.5 s.
    const reads = Promise.allSettled(Array.from({ length: 20 }, () => one.turn(5, 'other')));
    await two.turn(5, 'patient');
    const served = (await reads).filter(({ status }) => status === 'fulfilled');
    expect(served.length).toBeLessThan(5);
  });

  test('When the limit is one call a second, then a read of several calls gets a turn for each', async () => {
    const [one] = processes().states as [SharedState];
    await one.turn(1, 'other');
    await one.turn(1, 'other');
  });

  test('When the clock of the database was set back, then the next call does not wait for the earlier time', async () => {
    const { supplier, states } = processes();
    await states[0]?.turn(10, 'purchase');
    await sql(database)`UPDATE supplier_turns SET next_at = now() + interval '1 hour'
         WHERE supplier = ${supplier}`;
    await states[1]?.turn(10, 'purchase');
  });
});
