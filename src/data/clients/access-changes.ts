/** Changes of a client's access by its caller: what the database rejects of keys, networks and members. */
import { isScope, type Scope } from '../../domain/clients/scopes';
import { isAccessRejection, type AccessRejection } from '../../domain/errors';
import { raisedMessage } from '../database/errors';

const causes = [
  'OWN_KEY',
  'ROLLED',
  'ENDED',
  'TOO_MANY_KEYS',
  'IS_MEMBER',
  'TOO_MANY_MEMBERS',
  'NOT_JOINED',
  'LAST_ADMIN',
  'TOO_MANY_INVITATIONS',
  'TOO_MANY_UNLOCKS',
] as const;

/** Why the database rejects a change of a client's keys, networks or members. */
export type KeyRejection =
  | { cause: (typeof causes)[number] }
  | { cause: 'LACKS_SCOPE'; scope: Scope }
  | { cause: AccessRejection };

export class KeyChangeRejected extends Error {
  constructor(readonly rejection: KeyRejection) {
    super(`The change is rejected: ${rejection.cause}`);
    this.name = 'KeyChangeRejected';
  }
}

/** The caller in a call of a function. */
export const ofCaller = '$clientId, $apiKeyId, $memberId, $address, $requestId';

/** Runs a change, and throws `KeyChangeRejected` for what the database rejects. */
export async function rejecting<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    const rejection = rejectionIn(error);
    throw rejection ? new KeyChangeRejected(rejection) : error;
  }
}

function rejectionIn(error: unknown): KeyRejection | undefined {
  const access = raisedMessage(error, 'DG403');
  if (access !== undefined && isAccessRejection(access)) return { cause: access };
  const [cause, scope = ''] = raisedMessage(error, 'DGKEY')?.split(' ') ?? [];
  if (cause === 'LACKS_SCOPE' && isScope(scope)) return { cause, scope };
  const known = causes.find((each) => each === cause);
  return known && { cause: known };
}
