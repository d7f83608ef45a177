/** Every operation that changes something is tried or checked before it is offered; the exceptions are listed here. */
import { operations } from '../../../src/operators/operations/operations';

const changing = operations.filter(({ effect }) => effect !== 'reads');

test('When an operation is not tried before it is offered, then it has a check, and its preview tries it or it changes more than the database', () => {
  const untried = changing.filter(({ trial }) => trial !== undefined);
  expect(untried.filter((one) => one.trial === 'PREVIEW' && one.preview === undefined)).toEqual([]);
  expect(untried.filter(({ trial, hasCheck }) => trial === 'NONE' && !hasCheck)).toEqual([]);
  expect(untried.filter(({ trial }) => trial === 'NONE').map(({ name }) => name)).toEqual([
    'catalogue sync',
    'stock refresh',
    // Orders that the stop has held are released in Temporal.
    'products resume',
    // Nothing else than its check prevents it, and a list has many.
    'attention settle',
    'orders retry',
    'orders cancel',
    'orders release',
    'orders resolve',
    'esims poll',
    'webhooks retry',
    'webhooks pause',
    'webhooks resume',
    'webhooks skip',
    'mail resend',
    'reconcile',
    'books close',
    'maintenance run',
    'maintenance pause',
    'maintenance resume',
    'approvals approve',
    'approvals reject',
  ]);
});

/** The arguments that name what an operation is about. */
const subjects =
  'client email apiKey wallet rule number import claim endpoint event offer variant family proposal session schedule order supplier name reference recipient product item sku'.split(
    ' ',
  );

test('When an operation needs more than its subject, then a check of its own says whether the subject permits it', () => {
  const unchecked = changing.filter(({ hasCheck, arguments: given }) => {
    const needed = Object.entries(given).filter(([name, { isRequired }]) => isRequired && name !== 'reason');
    return (
      !hasCheck &&
      needed.some(([name]) => subjects.includes(name)) &&
      !needed.every(([name]) => subjects.includes(name))
    );
  });
  expect(unchecked.map(({ name }) => name)).toEqual([
    'clients create',
    'discounts set',
    'claims days',
    'people invite',
    'service-accounts create',
  ]);
});
