/** The pages of the operators' sign-in in a browser: on a telephone, in both colour schemes, without scripts. */
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { doorDatabase, openDoor } from '../support/identity-door';
import { findChromium, launchChromium } from './browser';
import { describeInBrowser } from './describe-in-browser';
import { useMade } from '../support/made';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const store = doorDatabase();
const door = useMade(
  () =>
    openDoor(store, {
      provider: {
        issuer: 'http://127.0.0.1:1',
        clientId: 'ops',
        clientSecret: 'secret',
        name: 'Acme login',
        scopes: ['openid'],
        groupsClaim: 'groups',
        emailClaim: 'email',
        roleOfGroup: undefined,
      },
    }),
  'close',
);

const accent = `getComputedStyle(document.documentElement).getPropertyValue('--accent')`;

/** The faults of the page: what axe finds, and content that is wider than the screen. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  return [
    ...found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ...(width > 375 ? [`${width} px wide`] : []),
    ...((await page.evaluate<string>(accent)) === '' ? ['without its style'] : []),
  ];
}

describeInBrowser('When an operator uses a telephone', () => {
  const browser = useMade(() => launchChromium(findChromium() ?? ''), 'close');
  let context: BrowserContext;
  afterEach(() => context.close());

  test.each(['light', 'dark'] as const)(
    'then every page fits the screen and has no fault of accessibility (%s)',
    async (colorScheme) => {
      context = await browser.newContext({
        colorScheme,
        viewport: { width: 375, height: 700 },
        extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${colorScheme.length}` },
      });
      const page = await context.newPage();
      const email = `${colorScheme}@goods.example`;
      const check = async (title: string) => {
        await page.getByRole('heading', { name: title, level: 1 }).waitFor();
        expect([title, await faultsOf(page)]).toEqual([title, []]);
      };
      await door.invite(email, 'admin', 'Ann');
      await page.goto(`${door.origin}/identity/`);
      await check('Sign in to Goods');
      await page.getByLabel('Email address').fill(email);
      await page.getByRole('button', { name: 'Email me a code' }).click();
      await check('Enter your code');
      await page.getByLabel('Code from the email').fill('000000');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await check('Enter your code');
      await page.getByLabel('Code from the email').fill(door.codeFor(email));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await check('Ann');
      await page.getByRole('link', { name: 'Set it up' }).click();
      await check('Set up the second factor');
      await page.getByRole('button', { name: 'Begin' }).click();
      await page.getByText('Keep these recovery codes').waitFor();
      await check('Set up the second factor');
      await page.goto(`${door.origin}/identity/device`);
      await check('Log in the ops CLI');
      await page.goto(`${door.origin}/identity/`);
      await page.getByRole('button', { name: 'End' }).click();
      await check('Sign in to Goods');
    },
  );
});
