/** The errors of the service are those of docs/specification.md#errors. The tests in `test/api` compare their texts. */
import { errorKinds } from '../../src/domain/error-kinds';
import { errors } from '../../src/domain/errors';
import { proseOf } from './documents';

const [, section = ''] = proseOf('docs/specification.md').split('\n## Errors\n');
const rows = [...section.matchAll(/^\| (\d+) \| `(\w+)` \| (.+?) \|/gm)];
const specified = rows.flatMap(([, status, name, codes = '']) =>
  [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${name} ${code}`),
);

test('When the service can reject a call, then the specification lists status, name and code, and lists no others', () => {
  const known = Object.values(errorKinds).map(({ status, name, code }) => `${status} ${name} ${code}`);
  expect([...new Set(known)].sort()).toEqual([...specified].sort());
});

test.each([
  ['500 INTERNAL_ERROR Internal server error', errors.internal()],
  ['504 OUTCOME_UNKNOWN Outcome unknown. Look the order up by client_reference', errors.outcomeUnknown()],
  ['409 SECRET_UNREADABLE The secret cannot be read any more. Rotate it to get a new one', errors.secretUnreadable()],
])('When a fault that no test provokes happens, then the client reads: %s', (text, error) => {
  expect(`${error.status} ${error.code} ${error.message}`).toBe(text);
});
