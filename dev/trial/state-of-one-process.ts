import { setTimeout as sleep } from 'node:timers/promises';
import { isUsable, type IssuedToken, type SharedState } from '../../src/domain/suppliers/shared-state';

/** The state of a supplier that only this process calls: in a trial, and in the tests of an adapter. */
export function stateOfOneProcess(): SharedState {
  const tokens = new Map<string, Promise<IssuedToken>>();
  let nextTurnAt = 0;
  return {
    token: async (name, issue, refused) => {
      const stored = tokens.get(name);
      const known = await stored?.catch(() => undefined);
      // Calls that waited for the same token share the next one.
      if (!isUsable(known, refused) && tokens.get(name) === stored) tokens.set(name, issue());
      return ((await tokens.get(name)) as IssuedToken).value;
    },
    turn: async (perSecond) => {
      const at = Math.max(performance.now(), nextTurnAt);
      nextTurnAt = at + 1_000 / perSecond;
      await sleep(at - performance.now());
    },
  };
}
