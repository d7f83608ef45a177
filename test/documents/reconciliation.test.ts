/** The example of the reconciliation page matches the service's responses for the same orders. */
import { parse } from 'csv-parse/sync';
import { fund } from '../../dev/testbed/clients';
import { newClient, useDatabase } from '../support/clients';
import { orderOf, place, reached } from '../support/orders';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { codeBlocks } from './documents';

type Line = Record<string, string>;

const linesOf = (csv: string) => parse<Line>(csv, { columns: true });
const shown = codeBlocks('docs/clients/reconciliation.md')
  .filter(({ language }) => language === 'csv')
  .map(({ code }) => linesOf(code));

const database = useDatabase();

/** Variable values: times and ids. */
const changing = /_at$|^at$|(^|_)id$|^reference$|^remarks$/;
const lasting = (lines: Line[] = []) =>
  lines.map((line) => Object.fromEntries(Object.entries(line).filter(([name]) => !changing.test(name))));
const texts = (lines: Line[] = []) => lines.map(({ remarks }) => remarks?.replace(/\d+/, '<id>'));

test('When the orders of the example are placed, then the statements match the example', async () => {
  const client = await newClient(database, { USD: 0 });
  const wallet = client.wallets['USD'] as number;
  const from = new Date();
  await fund(database, wallet, 200);
  const { api } = client;
  const partial = await place(api, orderOf('voucher_partial_then_failed', { client_reference: 'bulk-7' }));
  await place(api, orderOf('voucher_instant', { quantity: 3, client_reference: 'shop-8' }));
  await accepted(api, topupOrders, orderOf('topup_reject_unknown', { client_reference: 'app-9' }));
  await accepted(api, esimOrders, orderOf('esim_instant', { client_reference: 'trip-10' }));
  await reached(api, partial.id, 'FAILED');
  await accepted(api, topupOrders, orderOf('topup_instant', { client_reference: 'app-11' }));

  const period = `from=${from.toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
  const orders = linesOf((await api.get<string>(`/api/v1/statements/orders?${period}`)).body);
  const entries = linesOf((await api.get<string>(`/api/v1/wallets/${wallet}/statement?${period}`)).body);
  const [shownOrders, shownEntries] = shown;
  expect(lasting(orders)).toEqual(lasting(shownOrders));
  expect(lasting(entries)).toEqual(lasting(shownEntries));
  // An operator funded the example's wallet, and the test's entry has another remark.
  expect(texts(entries).slice(2)).toEqual(texts(shownEntries).slice(2));
  expect(Object.keys(orders[0] ?? {})).toEqual(Object.keys(shownOrders?.[0] ?? {}));
});
