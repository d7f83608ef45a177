/** The document and the schema of a body accept and reject the same values. */
import fc from 'fast-check';
import { clientDocument } from '../../../src/api/openapi/document';
import { apiOperations } from '../../../src/api/routes';
import { recordedExamples } from '../../../src/api/openapi/recorded-examples';
import type { Body } from '../../../src/api/openapi/operation';
import { DocumentSchemas } from '../../support/openapi';

const recorded = recordedExamples();
const schemas = new DocumentSchemas(clientDocument(apiOperations, recorded));

/** The bodies of operations, each with its recorded example. */
const bodies = Object.values(apiOperations).flatMap(({ id, body }): [string, Body, object][] =>
  body ? [[body.title, body, recorded.calls[id]?.body ?? {}]] : [],
);

/** Values that some field accepts, and values that no field accepts. */
const anyValue = fc.oneof(
  fc.constantFrom(null, true, false, '', ' ', 'x', 'Airtime', '\u0000', 'a\nb', [], {}, { phone: '1' }),
  fc.constantFrom(0, -1, 1, 0.5, 10, 0.01, 0.009, 1e9, 1e9 + 1, 1e15, 1e15 + 1, 1e7, 1e16, 1e300, 2 ** 53, 2 ** 60),
  fc.constantFrom('a@b.example', 'a@', 'a'.repeat(255), 'a'.repeat(256), 'a'.repeat(500), 'a'.repeat(501)),
  fc.constantFrom('2026-01-31T00:00:00Z', '2026-01-31', 'https://shop.example/hook', '/hook'),
  fc.constantFrom(['order.failed'], ['order.failed', 'order.failed'], ['x'], [1], '["order.failed"]', '{"a":1}'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => text.trim()),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e17 }),
);

/** An accepted body with some fields changed, omitted or added. */
function bodyLike({ schema }: Body, example: object): fc.Arbitrary<Record<string, unknown>> {
  const { keys = {} } = schema.describe() as { keys?: Record<string, unknown> };
  const changes = fc.dictionary(fc.constantFrom(...Object.keys(keys), 'unknown'), anyValue, { maxKeys: 3 });
  const missing = fc.subarray(Object.keys(keys), { maxLength: 1 });
  return fc
    .tuple(changes, missing)
    .map(([changed, left]) =>
      Object.fromEntries(Object.entries({ ...example, ...changed }).filter(([name]) => !left.includes(name))),
    );
}

test.each(bodies)(
  'When a body is a valid or nearly valid %s, then schema and document give the same result',
  (title, body, example) => {
    fc.assert(
      fc.property(bodyLike(body, example), (value) => {
        const { error } = body.schema.validate(value, { stripUnknown: true });
        const faults = schemas.faults({ $ref: `#/components/schemas/${title}` }, value);
        // `expect` at each of 400 values would take half of the test's time.
        if (Boolean(error) !== faults.length > 0)
          throw new Error(`The schema says: ${error?.message ?? 'valid'}. The document: ${faults.join() || 'valid'}`);
      }),
      { numRuns: 400, seed: 20_261_120 },
    );
  },
);
