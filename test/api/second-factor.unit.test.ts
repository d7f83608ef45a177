/** Which calls of a member need a recent second factor. docs/operators/people.md#members-of-clients. */
import { apiOperations, undocumentedRoutes } from '../../src/api/routes';
import { routeNeedsSecondFactor } from '../../src/api/server/route';

const routes = Object.entries({ ...apiOperations, ...undocumentedRoutes });
const methodOf = (name: string) => name.split(' ')[0] ?? '';
const guarded = routes.filter(([name, route]) => routeNeedsSecondFactor(methodOf(name), route)).map(([name]) => name);

test('When a route changes keys, members or networks, or shows a secret, then a member gives the second factor again', () => {
  expect(guarded).toEqual([
    'POST /api/v1/api-keys',
    'POST /api/v1/api-keys/:id/roll',
    'POST /api/v1/api-keys/:id/revoke',
    'PUT /api/v1/allowed-networks',
    'POST /api/v1/members',
    'PATCH /api/v1/members/:id',
    'DELETE /api/v1/members/:id',
    'POST /api/v1/members/:id/unlock',
    'POST /api/v1/webhooks/endpoints',
    'GET /api/v1/webhooks/endpoints/:id/secret',
    'POST /api/v1/webhooks/endpoints/:id/secret/rotate',
    'POST /console/api/member-sessions/end',
    'PUT /console/api/second-factor',
  ]);
});

test('When the response of a route has a secret, then the route is among them', () => {
  const shown = Object.entries(apiOperations).filter(([, { responses }]) =>
    /"(api_)?secret":/.test(JSON.stringify(responses)),
  );
  expect(shown.map(([name]) => name).filter((name) => !guarded.includes(name))).toEqual([]);
  expect(shown).toHaveLength(5);
});

test('When a change of the scope admin needs no second factor, then it is on the list, with the reason', () => {
  const harmless = routes.flatMap(([name, { harmless: why }]) => (why === undefined ? [] : [[name, why]]));
  expect(harmless).toEqual([['POST /api/v1/recipients/erase', 'It gives no access, and shows nothing.']]);
});
