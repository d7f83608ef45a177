/**
 * The second factor that people must give. docs/operators/people.md.
 * Rule: who must give a second factor, and how old it may be for changes
 */
import type { LiveIdentitySession } from '../data/identity/people-sessions';
import { isLocalAdmin, type IdentitySettings } from './settings';

/** For how long a second factor permits changes. */
export const SECOND_FACTOR_MINUTES = 10;

/**
 * Whether the person must give a second factor: where the installation demands one, and everyone who has set one up. The local admin of
 * a sandbox, whose token all people have who work in its checkout, never gives one.
 */
export function demandsSecondFactor(
  { requiresSecondFactor, mode, audience }: IdentitySettings,
  { email, hasSecondFactor }: Pick<LiveIdentitySession, 'email' | 'hasSecondFactor'>,
): boolean {
  if (mode === 'sandbox' && audience === 'operators' && isLocalAdmin({ email })) return false;
  return requiresSecondFactor || hasSecondFactor;
}

/** Whether the person of the session still has to give the second factor, or to set one up. It holds after every way in. */
export function lacksSecondFactor(
  settings: IdentitySettings,
  session: Pick<LiveIdentitySession, 'email' | 'hasSecondFactor' | 'secondFactorAt'>,
): boolean {
  return demandsSecondFactor(settings, session) && session.secondFactorAt === null;
}
