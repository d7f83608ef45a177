/** `npm run test:more -- ui`: the API reference in a browser, read and tried like a client does. */
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { newClient, useDatabase } from '../support/clients';
import { apiAs } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { findChromium, launchChromium } from './browser';
import { describeInBrowser } from './describe-in-browser';
import { useMade } from '../support/made';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

describeInBrowser('The API reference', () => {
  const browser = useMade(() => launchChromium(findChromium() as string), 'close');
  const database = useDatabase();

  async function open(hash: string, width: number): Promise<{ page: Page; refused: string[]; asked: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const [refused, asked]: [string[], string[]] = [[], []];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${loadStack().api_url}/docs${hash}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, refused, asked };
  }

  const pages = ['', '#/operations/createVoucherOrder', '#/operations/login', '#/schemas/VoucherOrder'];
  const views = pages.flatMap((hash) => [1_280, 390].map((width): [string, number] => [hash, width]));

  test.each(views)(
    'When /docs%s is read %i pixels wide, then it fits, every text has enough contrast, and nothing is loaded from other hosts',
    async (hash, width) => {
      const { page, refused, asked } = await open(hash, width);
      await page.evaluate(axe);
      const { violations } = await page.evaluate<AxeResults>("axe.run({ runOnly: ['color-contrast'] })");
      const faint = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
      expect(faint).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(refused).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(loadStack().api_url))).toEqual([]);
    },
  );

  test('When an operation is tried with a token, then this stack answers', async () => {
    const { page } = await open('#/operations/listWallets', 1_280);
    await page.getByRole('textbox', { name: 'Token' }).fill(await apiAs('demo').accessToken());
    const answered = page.waitForResponse(`${loadStack().api_url}/api/v1/wallets`);
    await page.getByRole('button', { name: 'Send API Request' }).click();
    expect((await answered).status()).toBe(200);
  });

  test('When the reader is signed in to the console, then the prefilled order has a token, which the browser does not store', async () => {
    const { credentials } = await newClient(database, { USD: 100 });
    const page = await browser.newPage();
    await page.goto(`${loadStack().api_url}/console`);
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'console' };
    const signIn = { method: 'POST', headers, body: JSON.stringify(credentials) };
    await page.evaluate(`fetch('/console/session', ${JSON.stringify(signIn)})`);
    await page.goto(`${loadStack().api_url}/docs#/operations/createVoucherOrder`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Token' }).inputValue()).toMatch(/^eyJ/);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('eyJ');
    const answered = page.waitForResponse(`${loadStack().api_url}/api/v1/orders`);
    await page.getByRole('button', { name: 'Send API Request' }).click();
    expect((await answered).status()).toBe(200);
  });

  test('When an operation is read, then its samples in curl, TypeScript, Python and Go are offered', async () => {
    const { page } = await open('#/operations/createVoucherOrder', 1_280);
    const language = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
    const choose = () => page.getByRole('button', { name: /Request Sample/ }).click();
    await page.getByRole('group', { name: /^curl "\$API_URL\/api\/v1\/orders"/ }).waitFor();
    await choose();
    await language('Python').waitFor();
    await language('Go').click();
    await page.getByRole('group', { name: /^package main/ }).waitFor();
    await choose();
    await language('TypeScript').click();
    await page.getByRole('group', { name: /^const response = await fetch/ }).waitFor();
  });
});
