/** The errors of changes of keys, networks and members that the database rejects. */
import { KeyChangeRejected, type KeyRejection } from '../../data/clients/access-changes';
import { MAX_KEYS } from '../../domain/clients/key-limits';
import { MAX_MEMBERS, MAX_UNLOCKS } from '../../domain/clients/member-limits';
import { accessErrors, errors, type ApiError } from '../../domain/errors';
import { TOO_MANY_INVITATIONS } from '../../domain/invitation-messages';

export const rejections = {
  OWN_KEY: () => errors.notPossibleNow('An API key cannot end itself'),
  ROLLED: () => errors.notPossibleNow('The API key was rolled already'),
  ENDED: () => errors.notPossibleNow('The API key is revoked or has expired'),
  TOO_MANY_KEYS: () => errors.validation(`No more than ${MAX_KEYS} valid keys are allowed`),
  IS_MEMBER: () => errors.validation('email is the address of a member', 'email'),
  TOO_MANY_MEMBERS: () => errors.validation(`No more than ${MAX_MEMBERS} members are allowed`),
  NOT_JOINED: () => errors.notPossibleNow('The member has not signed in yet'),
  LAST_ADMIN: () => errors.notPossibleNow('The last admin cannot be removed, demoted or suspended'),
  TOO_MANY_INVITATIONS: () => errors.notPossibleNow(TOO_MANY_INVITATIONS),
  TOO_MANY_UNLOCKS: () => errors.notPossibleNow(`A member is unlocked at most ${MAX_UNLOCKS} times a day`),
  ...accessErrors,
} as const;

/** Throws the error for the caller if the database has rejected the change; else the error itself. */
export function asApiError(error: unknown): never {
  throw error instanceof KeyChangeRejected ? errorOf(error.rejection) : error;
}

function errorOf(rejection: KeyRejection): ApiError {
  return rejection.cause === 'LACKS_SCOPE' ? errors.scopeMissing(rejection.scope) : rejections[rejection.cause]();
}
