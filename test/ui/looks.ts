/** The looks in which every page is tested: on a screen and on a phone, in both colour schemes. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const HEIGHT = 860;

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 375 },
  { colorScheme: 'light', width: 375 },
] as const;

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** The faults of the page as it looks now: what axe finds, and content that is wider than the window. */
export async function faultsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  const [width, room] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  return [
    ...found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
    ...(width > room ? [`${width} px wide in ${room} px`] : []),
  ];
}

/** The faults of the open page in every look, each with its look. Changes the look of the page instead of opening it again. */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: HEIGHT });
    // A page may show other elements in a narrow window.
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
    faults.push(...(await faultsOf(page)).map((fault) => `${colorScheme}, ${width} px: ${fault}`));
  }
  return faults;
}
