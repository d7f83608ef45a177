/** Why a session of the console ended. docs/clients/console.md. */
import { endingOf } from '../../packages/console/src/ending';
import type { Session } from '../../packages/console/src/types';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

function session(changes: Partial<Session> = {}): Session {
  return {
    client_id: 1,
    client_name: 'Shop',
    features: [],
    mode: 'sandbox',
    missing_scopes: [],
    funding_currencies: [],
    member: { id: 4, name: 'Ann', email: 'ann@shop.example', role: 'viewer' },
    expires_at: inAnHour(),
    ...changes,
  };
}

test('When an admin removed the member, then the sign-in page says so', () => {
  expect(endingOf(session(), 'You are not a member of the account now')).toMatch(
    /^You are not a member of the account now: an admin removed or suspended you\./,
  );
});

test('When the service does not know the session of a member any more, then the sign-in page names what may be the cause', () => {
  const ending = endingOf(session(), 'Not signed in');
  expect(ending).toMatch(/signed out in another window, or an admin ended the session or removed you/);
  expect(ending).toMatch(/Sign in to return to the page\.$/);
});

test('When the session of a key ends, then the sign-in page says that it expired, or that the person signed out', () => {
  expect(endingOf(session({ member: null }), 'Not signed in')).toBe(
    'You signed out in another window. Sign in to return to the page.',
  );
  expect(endingOf(session({ expires_at: '2026-11-26T10:00:00.000Z' }), 'Not signed in')).toMatch(
    /^Your session expired at /,
  );
});
