/** The story of an order: the tables of docs/developers lead to it, and its local activities come before everything else. */
import { familyIds } from '../../src/domain/orders/families';
import { proseOf, repositoryFiles, textOf } from './documents';

const request =
  'Express handlers start durable Temporal workflows per order that debit the wallet, call fulfilment activities with retry policies, ' +
  'wait for eSIM completion with a 60-second timer before returning PENDING, refund on failure, ' +
  'track eSIM install and activation changes with timers, and emit webhooks ' +
  'operators inspect and retry orders in the Temporal UI';

/** The cells of the table with which the document begins. */
function tableOf(file: string): string[][] {
  const [table = ''] = /^(\|.*\|\n)+/m.exec(proseOf(file)) ?? [];
  const rows = table.split('\n').slice(2, -1);
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}

const rows = tableOf('docs/developers/orders.md');

/** The names that the second columns give, each with its file. */
const named = [...rows, ...tableOf('docs/developers/architecture.md')].flatMap(([, , places = '']) =>
  places.split('; ').flatMap((place) => {
    const [file = '', ...names] = [...place.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    return names.map((name) => [file, name] as const);
  }),
);

test('When the table of orders is read, then it has the words of the request, in their sequence', () => {
  expect(rows.map(([, words]) => words).join(' ')).toBe(request);
});

test.each(named)('When a table of the story names a place, then %s exports %s', (file, name) => {
  expect(textOf(file)).toMatch(new RegExp(`^export (?:(?:async )?function|class|const(?: {)?) ${name}\\b`, 'm'));
});

const stories = repositoryFiles().filter((file) => /^workflows\/[\w-]+-order\.ts$/.test(file));

test.each(stories)('When %s is searched for the words of the request, then it has those of every family', (file) => {
  const story = textOf(file);
  for (const word of ['debit', 'buy', 'fulfil', 'timer of', 'PENDING', 'refund', 'webhook', 'mail'])
    expect(story).toMatch(new RegExp(word, 'i'));
});

test('When the story of eSIMs is searched for the words of the request, then it has the 60 seconds and what the monitor tracks', () => {
  for (const file of ['workflows/esim-order.ts', 'workflows/esim-monitor.ts'])
    for (const word of ['timer', 'install', 'activation']) expect(textOf(file)).toContain(word);
  expect(textOf('workflows/esim-order.ts')).toContain('timer of 60 seconds');
});

const chain = ['debitWallet', 'tryToBuy', 'refundAtOnce'];

/**
 * The faults of a story. Up to `endFirstTask`, it calls the local activities in their sequence, awaits and calls nothing else, and branches
 * on `next` alone. After it, it calls none of them. docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
function faultsOf(story: string): string[] {
  const [, body = ''] = story.split('runOrder(start, resumed, async (order) => {');
  const [firstTask = '', ...later] = body.split('endFirstTask(order);');
  const found = (pattern: RegExp) => [...firstTask.matchAll(pattern)].map(([, name = '']) => name);
  const calls = found(/\b(\w+)\(/g).join();
  const awaited = found(/\bawait (\w+)\(order\);/g).join();
  const awaits = found(/\b(await)\b/g).length;
  const branches = found(/\b(?:if|while|switch|for) \((.*?)\)|\?|&&|\|\|/g);
  return [
    ...(later.length === 1 ? [] : [`${later.length} ends of the first task`]),
    ...(calls === chain.join() ? [] : [`the first task calls ${calls}`]),
    ...(awaited === chain.join() && awaits === chain.length ? [] : ['the first task awaits something else']),
    ...branches.filter((branch) => !/^next === '\w+'$/.test(branch)).map((branch) => `a branch on ${branch}`),
    ...chain.filter((name) => later.join().includes(`${name}(`)).map((name) => `${name} after the first task`),
  ];
}

test.each(stories)('When %s is read, then its local activities come first, without anything between them', (file) => {
  expect(faultsOf(textOf(file))).toEqual([]);
});

test('When files of workflows import local activities, then they are the stories', () => {
  const importing = repositoryFiles().filter(
    (file) => file.startsWith('workflows/') && textOf(file).includes("/first-task';"),
  );
  expect(importing.sort()).toEqual([...stories].sort());
  expect(stories).toHaveLength(familyIds.length);
});

const tryIt = "if (next === 'BUY') next = await tryToBuy(order);";
const end = 'endFirstTask(order);';

test.each([
  [
    'a regular activity runs between two local ones',
    [tryIt, `await mailCustomer(order);\n${tryIt}`],
    'the first task calls debitWallet,mailCustomer,tryToBuy,refundAtOnce',
  ],
  [
    'a step begins before the end of the first task',
    [end, `void startMonitor(order);\n${end}`],
    'the first task calls debitWallet,tryToBuy,refundAtOnce,startMonitor',
  ],
  [
    'something else is awaited',
    [tryIt, `await order.chainIsOver.opened;\n${tryIt}`],
    'the first task awaits something else',
  ],
  [
    'the branch depends on more than the result',
    ["next === 'BUY'", 'order.state.placement'],
    'a branch on order.state.placement',
  ],
  [
    'two local activities change places',
    ['tryToBuy', 'refundAtOnce'],
    'the first task calls debitWallet,refundAtOnce,refundAtOnce',
  ],
  [
    'a local activity follows a step',
    ['await settleOrRefund(', 'await refundAtOnce(order);\nawait settleOrRefund('],
    'refundAtOnce after the first task',
  ],
  ['the first task has no end', [end, ''], '0 ends of the first task'],
] as const)('When %s, then the story is at fault', (_what, [text, planted], fault) => {
  for (const file of stories) {
    const [imports = '', body = ''] = textOf(file).split(/(?=export async function)/);
    expect(faultsOf(imports + body.replace(text, planted))).toContain(fault);
  }
});
