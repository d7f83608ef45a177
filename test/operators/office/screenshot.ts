/** The pictures of the back office in README.md and docs/developers/look.md: the start page, an order that needs a decision, lists. */
import { join } from 'node:path';
import { scenarioNamed } from '../../support/orders';
import { callOperation } from '../../support/service-accounts';
import { apiAs, type Json, type Resource } from '../../support/stack';
import { stackDirectory } from '../../../dev/testbed/loaded-stack';
import { until } from '../../../dev/testbed/waiting';
import { OfficeBrowser } from './office-page';

const SIZE = { width: 1_160, height: 780 };
const TALL = { width: 1_160, height: 1_040 };
const PHONE = { width: 375, height: 720 };

const SCENARIOS = ['voucher_instant', 'voucher_out_of_stock', 'topup_instant', 'voucher_bulk', 'esim_instant'];

/** Takes the pictures into the folder. Returns their paths. */
export async function takeOffice(folder: string): Promise<string[]> {
  const browser = new OfficeBrowser();
  await browser.open();
  try {
    const place = (name: string) => {
      const { path, body } = scenarioNamed(name);
      return apiAs('demo').post<Resource>(path, body);
    };
    for (const name of SCENARIOS) await place(name);
    const { id } = (await place('voucher_needs_operator')).body;
    await until('the entry of the order', async () => {
      const { body } = await callOperation(stackDirectory().operatorToken(), 'attention');
      return (body['result'] as Json[]).find((entry) => entry['order_id'] === id);
    });
    const office = await browser.as('admin', SIZE);
    const take = async (name: string) => {
      const path = join(folder, `${name}.png`);
      await office.page.screenshot({ path });
      return path;
    };
    await office.page.setViewportSize(TALL);
    const today = await take('office-today');
    await office.page.setViewportSize(SIZE);
    await office.open(`orders/${id}`);
    const order = await take('office-order');
    await office.open('orders?family=vouchers');
    const orders = await take('office-orders');
    await office.page.setViewportSize(PHONE);
    await office.open('clients/1');
    return [today, order, orders, await take('office-phone')];
  } finally {
    await browser.close();
  }
}
