/** The documented limits for clients match the service, and the pages agree with the client library. */
import { Transport } from '../../packages/client/src/transport';
import { rateClasses } from '../../src/domain/clients/rate-classes';
import { orderTiming } from '../../src/domain/orders/order-timing';
import { second } from '../../src/domain/time';
import { proseOf } from './documents';

const goingLive = proseOf('docs/clients/going-live.md');
const library = new Transport({ baseUrl: 'http://127.0.0.1', apiKey: 'key', apiSecret: 'secret' });

test('When the page about going live lists the limits, then they are those of the service', () => {
  const rows = [...goingLive.matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \|$/gm)];
  const listed = rows.map(([, name, sandbox, production]) => [name, Number(sandbox), Number(production)]);
  expect(listed).toEqual(rateClasses.map(({ name, defaults }) => [name, defaults.sandbox, defaults.production]));
});

test.each([
  ['voucher', orderTiming.VOUCHER],
  ['top-up', orderTiming.TOPUP],
  ['eSIM', orderTiming.ESIM],
])(
  'When a %s order request is timed, then the page has our time limit and the timeout of the library',
  (name, { responseDeadlineMs }) => {
    const limit = responseDeadlineMs / second;
    const timeout = library.createTimeoutMs / second;
    expect(goingLive).toMatch(new RegExp(`\\| ${name} order request \\| within ${limit} s[^|]* \\| ${timeout} s \\|`));
  },
);

test.each(['docs/clients/client-library.md', 'packages/client/README.md'])(
  'When %s names the timeout of order requests, then it is that of the library',
  (file) => {
    expect(proseOf(file)).toMatch(new RegExp(`\\b${library.createTimeoutMs / second} s\\b`));
  },
);

test('When retries are counted, then every page has the number of the library', () => {
  const retries = library.maxRetries;
  expect(retries).toBe(6);
  expect(goingLive).toMatch(/\bthe six retries\b/);
  expect(goingLive).toContain('After the sixth retry');
  expect(proseOf('docs/clients/client-library.md')).toContain('up to six times');
  expect(proseOf('packages/client/README.md')).toContain(`up to ${retries} times`);
});
