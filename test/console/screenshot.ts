/** The picture of the console in README.md: the list of orders, with a failed one and an open one. */
import { scenarioNamed } from '../support/orders';
import { apiAs, demoClient, type Resource } from '../support/stack';
import { ConsolePage, openBrowser } from './console-page';

const SCENARIOS = [
  'voucher_instant',
  'voucher_out_of_stock',
  'voucher_partial_then_failed',
  'voucher_bulk',
  'voucher_instant',
  'voucher_redeemable',
  'voucher_slow',
];

/** Takes the picture as the demo client, while the last order waits for its goods. */
export async function takeConsole(path: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const console = await ConsolePage.of(browser, { credentials: demoClient('demo') }, { width: 1120 });
    await console.show('orders/vouchers');
    await console.heading('Orders').waitFor();
    const place = (name: string) => apiAs('demo').post<Resource>('/api/v1/orders', scenarioNamed(name).body);
    for (const name of SCENARIOS.slice(0, -1)) await place(name);
    await console.page.getByText('Failed', { exact: true }).nth(1).waitFor();
    const slow = place(SCENARIOS.at(-1) ?? '');
    await console.page.locator('td').getByText('Pending', { exact: true }).first().waitFor();
    await console.page.screenshot({ path, clip: { x: 0, y: 0, width: 1120, height: 700 } });
    await slow;
  } finally {
    await browser.close();
  }
}
