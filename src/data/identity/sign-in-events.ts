/** Events of the sign-in: metrics count them, and the audit has those that concern a person. `rules/audited-sign-in-events.sql`. */
import { identityRows, type IdentityConnection } from './identity-pool';

/** `sign_in_events` has the same. */
export type SignInEventName =
  | 'session.started'
  | 'session.ended'
  | 'device.added'
  | 'device.denied'
  | 'browser.opened'
  | 'second_factor.added'
  | 'second_factor.rejected'
  | 'code.rejected'
  | 'codes.used_up'
  | 'sign_in.locked'
  | 'network.limited';

export interface SignInEvent {
  event: SignInEventName;
  /** Whom it concerns. Null: it is only counted. */
  email: string | null;
  /** The name of the person who acts. Null: not known, as for a wrong code. */
  actor: string | null;
  /** The session that begins or ends. */
  sessionId: string | null;
  door: 'PAGE' | 'CLI';
  address: string | null;
  requestId: string | null;
  details: Readonly<Record<string, string | number | boolean | null>>;
}

/** Counts and audits an event. */
export async function recordSignInEvent(pool: IdentityConnection, event: SignInEvent): Promise<void> {
  await identityRows(
    pool,
    'SELECT record_event($event, $email, $actor, $sessionId, $door, $address, $requestId, $details::jsonb)',
    { ...event, details: JSON.stringify(event.details) },
  );
}
