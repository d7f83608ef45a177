/** What our code knows about a call of the library, for the hooks that the library calls meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SessionKind } from '../data/identity/sessions';
import type { Role } from '../domain/operations/roles';

/** One call of the library. */
export interface Entry {
  /** The session that the call may create. */
  session?: { kind?: SessionKind; machine?: string; secondFactorAt?: Date | null; expiresAt?: Date };
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
