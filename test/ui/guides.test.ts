/** `npm run test:more -- ui`: the clients' pages in a browser, read, searched and used with the keyboard. */
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { findChromium, launchChromium } from './browser';
import { describeInBrowser } from './describe-in-browser';
import { useMade } from '../support/made';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

describeInBrowser('The guides', () => {
  const browser = useMade(() => launchChromium(findChromium() as string), 'close');

  async function open(path: string, width = 1_280, colorScheme: 'light' | 'dark' = 'light') {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(loadStack().api_url)) complaints.push(request.url());
    });
    await page.goto(`${loadStack().api_url}${path}`);
    return { page, complaints };
  }

  async function faultsOf(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  const paths = [
    '/docs/guides',
    '/docs/getting-started',
    '/docs/concepts',
    '/docs/webhooks',
    '/docs/errors',
    '/docs/specification',
  ];
  const views = paths.flatMap((path) =>
    [1_280, 390].flatMap((width) => (['light', 'dark'] as const).map((scheme) => [path, width, scheme] as const)),
  );

  test.each(views)(
    'When %s is read %i pixels wide in %s colours, then it fits, and axe finds no fault',
    async (path, width, scheme) => {
      const { page, complaints } = await open(path, width, scheme);
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('When a reader searches with the keyboard, then Enter opens the best section', async () => {
    const { page, complaints } = await open('/docs/guides', 390);
    await page.getByLabel('Search the guides').focus();
    await page.keyboard.type('duplicate_client_reference');
    await page.getByRole('region', { name: 'Search results' }).getByRole('link').first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#duplicate_client_reference');
    await page.getByRole('heading', { name: 'DUPLICATE_CLIENT_REFERENCE' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('When a reader copies an example, then the clipboard has its text, with the address of the service', async () => {
    const { page, complaints } = await open('/docs/getting-started');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`export API_URL=${loadStack().api_url}\n`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('When a page has sections, then its list of contents leads to them', async () => {
    const { page } = await open('/docs/webhooks');
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Test your endpoint' })
      .click();
    await page.waitForURL('**/docs/webhooks#test-your-endpoint');
    await page.close();
  });

  test('When nothing matches, then the page says so, and Escape clears the search', async () => {
    const { page } = await open('/docs/errors');
    await page.getByLabel('Search the guides').fill('qqqqqqqq');
    await page.getByText('Sections that match "qqqqqqqq": 0').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Search results' }).waitFor({ state: 'hidden' });
    await page.close();
  });

  test('When a browser opens the service, then it is led to the guides, and from there to the reference', async () => {
    const { page } = await open('/');
    await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor();
    await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('link', { name: 'Guides' }).waitFor();
    await page.close();
  });
});
