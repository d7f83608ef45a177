/** The pictures of the back office in README.md: the start page, and an order that needs a decision. */
import { join } from 'node:path';
import { scenarioNamed } from '../support/orders';
import { callOperation } from '../support/service-accounts';
import { apiAs, stackDirectory, type Json, type Resource } from '../support/stack';
import { until } from '../support/waiting';
import { OfficeBrowser } from './office-page';

const SIZE = { width: 1_080, height: 860 };

const SCENARIOS = [
  'voucher_instant',
  'voucher_out_of_stock',
  'topup_instant',
  'voucher_bulk',
  'esim_instant',
];

/** Takes the pictures into the folder. Returns their paths. */
export async function takeOffice(folder: string): Promise<string[]> {
  const browser = await OfficeBrowser.open();
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
    const today = await take('office-today');
    await office.open(`orders/${id}`);
    return [today, await take('office-order')];
  } finally {
    await browser.close();
  }
}
