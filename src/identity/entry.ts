/** What our code knows about a call of the library, for the hooks that the library calls meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SignInEvent } from '../data/identity/sign-in-events';
import type { SessionKind } from '../data/identity/people-sessions';
import type { Role } from '../domain/operators/roles';

/** One call of the library. */
export interface Entry {
  /** The session that the call may create. */
  session?: { kind?: SessionKind; machine?: string; secondFactorAt?: Date | null; expiresAt?: Date };
  /** From where the person signs in, and in which device; absent without a request. */
  signIn?: { origin: Pick<SignInEvent, 'address' | 'requestId'>; deviceHash: Buffer };
  /** Set if the session that the call creates continues another one. */
  isContinued?: true;
  /** The browser of which the call makes or reads a code. */
  codeOf?: Buffer;
  /** The hash of the device code that the call creates. */
  deviceCodeHash?: string;
  /** The role that the groups of the provider give; set once the provider has named them. */
  roleByGroups?: Role;
  /** Set if the provider names no group with a role. */
  hasNoRole?: true;
  /** The token of a sign-in link; set once it is made. */
  linkToken?: string;
}

const entries = new AsyncLocalStorage<Entry>();

/** Runs the work as one call. */
export function asEntry<Result>(entry: Entry, work: () => Promise<Result>): Promise<Result> {
  return entries.run(entry, work);
}

/** The present call. */
export function presentEntry(): Entry {
  return entries.getStore() ?? {};
}
