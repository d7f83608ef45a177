/** One name stands for one thing: two files export the same name only if it means the same in both. */
import { join } from 'node:path';
import { repositoryFiles, root, textOf } from './documents/documents';

/** Names with one meaning in several files. */
const shared = {
  // Each supplier's adapter has its own.
  adapters: [
    'Transaction',
    'catalogue',
    'classify',
    'classifyToken',
    'codes',
    'errorCodes',
    'failureCodeOf',
    'readAccepted',
    'readBalances',
    'readEsimStatus',
    'readFound',
    'readOffers',
    'readPage',
    'readPurchase',
    'readStatement',
    'readToken',
    'toReport',
    'verifyPush',
  ],
  // An order as the API shows it, and its workflow.
  orders: ['esimOrder', 'topupOrder', 'voucherOrder'],
  // They describe a value: of a column, of a setting, of an argument, of a response in OpenAPI or of a supplier's message.
  values: [
    'count',
    'decimal',
    'decimalText',
    'flag',
    'id',
    'integer',
    'json',
    'moment',
    'money',
    'number',
    'object',
    'oneOf',
    'orNull',
    'text',
    'time',
  ],
};

/** The names that the file declares and exports. */
function namesOf(file: string): string[] {
  const declaration = /^export (?:async )?(?:abstract )?(?:function\*?|class|interface|type|const|enum) (\w+)/gm;
  return [...textOf(file).matchAll(declaration)].flatMap(([, name]) => name ?? []);
}

test('When two files export a name, then it is listed as a name with one meaning', () => {
  const files = ['src', 'workflows', 'activities'].flatMap((folder) => repositoryFiles(join(root, folder)));
  const exporters = new Map<string, Set<string>>();
  for (const file of files.filter((path) => path.endsWith('.ts')))
    for (const name of namesOf(file)) exporters.set(name, (exporters.get(name) ?? new Set()).add(file));
  const repeated = [...exporters].filter(([, { size }]) => size > 1).map(([name]) => name);
  expect(repeated.sort()).toEqual(Object.values(shared).flat().sort());
});
