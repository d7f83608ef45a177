/** Why a session of the console has ended, for the sign-in page. */
import { moment } from '../../parts/src/format';
import type { Session } from './types';

/** The causes by the message of the service. */
const causes = new Map<string, string>(
  Object.entries({
    'API key revoked': 'The API key of your session was revoked. Sign in with another key.',
    'Client is suspended': 'Your account is suspended. Ask your account manager.',
    'You are not a member of the account now':
      'You are not a member of the account now: an admin removed or suspended you. Ask an admin of the account.',
  }),
);

/** The cause that the message of the service names; undefined for other messages. */
export function causeOf(message: string): string | undefined {
  return causes.get(message);
}

/** Says why the session has ended. After it expires or is ended, the service no longer knows why. */
export function endingOf({ expires_at: expiresAt, member }: Session, message: string): string {
  return causeOf(message) ?? `${unknownCause(expiresAt, member !== null)} Sign in to return to the page.`;
}

function unknownCause(expiresAt: string, isMember: boolean): string {
  if (Date.parse(expiresAt) <= Date.now()) return `Your session expired at ${moment(expiresAt)}.`;
  return isMember
    ? 'Your session has ended: you signed out in another window, or an admin ended the session or removed you.'
    : 'You signed out in another window.';
}
