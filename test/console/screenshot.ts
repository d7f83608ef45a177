/** The picture of the console in README.md: the list of orders of all families, with a failed one and an open one. */
import { scenarioNamed } from '../support/orders';
import { apiAs, demoClient, type Resource } from '../support/stack';
import { ConsolePage, openBrowser } from './console-page';

const SCENARIOS = [
  'voucher_instant',
  'voucher_out_of_stock',
  'topup_instant',
  'voucher_bulk',
  'esim_instant',
  'voucher_redeemable',
  'esim_failed_now',
  'voucher_slow',
];

/** How the orders end, but for the last one. */
const ENDED = { Delivered: 5, Failed: 2 };

const WIDTH = 1280;

/** Takes the picture as the demo client, while the last order waits for its goods. */
export async function takeConsole(path: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const console = await ConsolePage.of(browser, { credentials: demoClient('demo') }, { width: WIDTH });
    await console.show('orders');
    await console.heading('Orders').waitFor();
    const place = (name: string) => {
      const { path, body } = scenarioNamed(name);
      return apiAs('demo').post<Resource>(path, body);
    };
    for (const name of SCENARIOS.slice(0, -1)) await place(name);
    const rows = console.page.locator('tr[data-order]');
    for (const [status, count] of Object.entries(ENDED))
      await rows
        .filter({ hasText: status })
        .nth(count - 1)
        .waitFor();
    const slow = place(SCENARIOS.at(-1) ?? '');
    await rows.nth(SCENARIOS.length - 1).waitFor();
    await rows.first().getByText('Pending', { exact: true }).waitFor();
    await console.page.screenshot({ path, clip: { x: 0, y: 0, width: WIDTH, height: 815 } });
    await slow;
  } finally {
    await browser.close();
  }
}
