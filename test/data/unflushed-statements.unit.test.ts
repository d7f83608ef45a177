/** Which statements do not wait until they are durable, and what makes that safe (`withoutFlush`). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

const sources = ['src', 'activities', 'workflows'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|sql)$/.test(file))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
);

/** The files in which the pattern occurs, with the number of its occurrences. */
const occurrences = (pattern: RegExp) =>
  Object.fromEntries(
    sources.flatMap(({ file, text }) => {
      const count = text.match(pattern)?.length ?? 0;
      return count > 0 ? [[file, count]] : [];
    }),
  );

test('When a statement does not wait until it is durable, then nothing that it writes is promised', () => {
  expect(occurrences(/\$\{withoutFlush\}/g)).toEqual({
    'src/data/clients/api-requests.ts': 1,
    'src/data/keys/data-keys.ts': 1,
    'src/data/orders/order-reservations.ts': 1,
    'src/data/orders/progress-notifications.ts': 1,
    'src/data/suppliers/supplier-calls.ts': 1,
  });
  expect(occurrences(/synchronous_commit'/g)).toEqual({ 'src/data/database/connection-settings.ts': 1 });
  expect(occurrences(/synchronous_commit:/g)).toEqual({ 'src/data/database/connection-settings.ts': 1 });
});

/** The statements about reservations: templates and one-line texts, without the parts that are inserted. */
function statementsAbout(text: string): string[] {
  const parts = text.replace(/\$\{[^`{}]*\}/g, '…').split('`');
  const texts = parts.flatMap((part, index) => (index % 2 === 1 ? [part] : (part.match(/'[^'\n]*'/g) ?? [])));
  return texts.filter((part) => /\border_reservations\b/.test(part));
}

test('When a statement gets the id of a reservation, then it compares the nonce, because a lost reservation gives its id back', () => {
  const byId = sources.flatMap(({ file, text }) =>
    statementsAbout(text)
      .filter((statement) => /\border_id = (ANY \()?\$\w+/.test(statement) || /\$orderIds\b/.test(statement))
      .map((statement) => ({ file, statement })),
  );
  const files = [...new Set(byId.map(({ file }) => file))].sort();
  expect(files).toEqual(['src/data/orders/order-reservations.ts', 'src/data/orders/place-order.ts']);
  expect(byId).toHaveLength(6);
  expect(byId.filter(({ statement }) => !/\bnonces?\b/.test(statement))).toEqual([]);
});
