/** The documented limits for clients match the service. */
import { rateClasses } from '../../src/domain/clients/rate-classes';
import { proseOf } from './documents';

test('When the page about going live lists the limits, then they are those of the service', () => {
  const rows = [...proseOf('docs/clients/going-live.md').matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \|$/gm)];
  const listed = rows.map(([, name, sandbox, production]) => [name, Number(sandbox), Number(production)]);
  expect(listed).toEqual(
    rateClasses.map(({ name, defaults }) => [name, defaults.sandbox, defaults.production]),
  );
});
