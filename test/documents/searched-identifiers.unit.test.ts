/** Every identifier that a client, a customer or a colleague may send us has a row in docs/operators/search.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../src/operators/operations/operations';

const isIdentifier = (name: string) => /(^|_)ids?$|reference|^request/.test(name);

/** `order_ids` and `orderId` as `order_id`. */
const normal = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/_ids$/, '_id');

/** The names of the properties of all schemas in the document. */
function propertiesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(propertiesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { properties } = value as { properties?: unknown };
  const own = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return [...own, ...Object.values(value).flatMap(propertiesIn)];
}

function sourcesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
}

/** What the first group of the pattern matches in the files of the folder. */
const matchesIn = (folder: string, pattern: RegExp) =>
  sourcesIn(folder).flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name));

const fieldOfInterface = /^ +(?:readonly )?(\w+)\??: (?:string|number)[^,\n]*;$/gm;
const valueInText = /\$\{(?:\w+\.)*(\w+)\}/g;

const shown = {
  'responses of the API': propertiesIn(JSON.parse(readFileSync('docs/clients/openapi.json', 'utf8'))),
  'lists of operators': operations.flatMap((one) => Object.keys(('columns' in one && one.columns) || {})),
  'pages of operators': matchesIn('packages/office/src', fieldOfInterface),
  'pages of clients': matchesIn('packages/console/src', fieldOfInterface),
  mails: matchesIn('src/notifications/mail', valueInText),
};

const listed = [...readFileSync('docs/operators/search.md', 'utf8').matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];

test.each(Object.entries(shown))(
  'When %s show an identifier, then the page about search says what it answers',
  (_, names) => {
    const identifiers = names.map(normal).filter(isIdentifier);
    expect(identifiers.length).toBeGreaterThan(3);
    expect([...new Set(identifiers)].filter((name) => !listed.some(([, known]) => known === name))).toEqual([]);
  },
);

test('When the page lists an identifier, then something shows it', () => {
  const identifiers = Object.values(shown).flat().map(normal);
  expect(listed.map(([, name = '']) => name).filter((name) => !identifiers.includes(name))).toEqual([]);
});
