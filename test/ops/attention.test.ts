/** What is taken off the operators' list by hand, because nothing else can know that it is settled. */
import { raiseAttention } from '../../src/data/attention';
import { rows } from '../../src/data/database';
import { printedBy } from '../support/operator';
import { scratchDatabase } from '../support/scratch-database';
import type { Json } from '../support/stack';

const { database, url } = scratchDatabase();
const supplier = 'simulator';
const reason = 'Claimed back, credit note 17';

async function listed(): Promise<Json[]> {
  return JSON.parse(await printedBy(url, '--json', 'attention')) as Json[];
}

const settle = (id: number) => printedBy(url, 'attention', 'settle', id, '--reason', reason);

test('When goods were claimed back, then they go off the list with what was done, and come again only with something new', async () => {
  const raise = (units: number) =>
    raiseAttention(database, { supplier }, 'GOODS_APART', `${units} units are of no order`);
  await raise(2);
  const [entry] = await listed();
  await settle(Number(entry?.['id']));
  expect(await listed()).toEqual([]);
  expect(await rows(database, 'SELECT settlement FROM attention')).toEqual([{ settlement: reason }]);
  await raise(3);
  expect(await listed()).toMatchObject([
    { kind: 'GOODS_APART', supplier, reason: '3 units are of no order' },
  ]);
  expect(await rows(database, 'SELECT settlement FROM attention')).toEqual([{ settlement: null }]);
});

test('When it goes by itself, or is not there, then nothing is taken off', async () => {
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'No answer for 10 minutes');
  const entry = (await listed()).find(({ kind }) => kind === 'SUPPLIER_DOWN');
  await expect(settle(Number(entry?.['id']))).rejects.toThrow('SUPPLIER_DOWN goes off the list by itself');
  await expect(settle(999)).rejects.toThrow('The list has no number 999');
  expect((await listed()).map(({ kind }) => kind)).toContain('SUPPLIER_DOWN');
});
