/** The diagrams of docs/clients/concepts.md have the states and transitions of the domain. */
import { familyIds } from '../../src/domain/orders/families';
import { orderStatuses, statesBefore } from '../../src/domain/orders/order-states';
import { proseOf, textOf } from './documents';

const files = { VOUCHER: 'vouchers', TOPUP: 'topups', ESIM: 'esims' };
const profile = ['NOT_INSTALLED to ACTIVE', 'ACTIVE to EXPIRED'];

test.each(familyIds)('When the states of a family change (%s), then its diagram shows them', (family) => {
  const diagram = textOf(`docs/images/states-${files[family]}.svg`);
  const edges = [...diagram.matchAll(/data-from="(\w+)" data-to="(\w+)"/g)].map(([, from, to]) => `${from} to ${to}`);
  const transitions = orderStatuses.flatMap((to) => statesBefore(family, to).map((from) => `${from} to ${to}`));
  expect(edges.sort()).toEqual([...transitions, ...(family === 'ESIM' ? profile : [])].sort());
});

test('When the page about concepts is read, then it describes every status', () => {
  const page = proseOf('docs/clients/concepts.md');
  for (const status of [...orderStatuses, 'NOT_INSTALLED', 'ACTIVE', 'EXPIRED'])
    expect(page).toMatch(new RegExp(`^\\| ${status} \\|`, 'm'));
});
