/** The console in a browser. */
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core';
import type { OwnClient } from '../support/clients';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { findChromium, launchChromium } from '../ui/browser';

/** The time limit for an element to appear on a busy machine, in milliseconds. */
const PATIENCE_MS = 30_000;

type Scheme = 'light' | 'dark';

export interface Look {
  colorScheme?: Scheme;
  width?: number;
}

/** A browser for one test file. Close it in `afterAll`. */
export function openBrowser(): Promise<Browser> {
  return launchChromium(findChromium() as string);
}

export class ConsolePage {
  /** The page's errors: script errors and violations of its content security policy. */
  readonly complaints: string[] = [];
  /** Every response to the page's requests, without the page itself. */
  readonly answers: Response[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('response', (response) => this.answers.push(response));
  }

  /** Opens the sign-in page. */
  static async open(browser: Browser, { colorScheme = 'light', width = 1280 }: Look = {}): Promise<ConsolePage> {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 860 },
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const opened = new ConsolePage(context, page);
    await page.goto(`${loadStack().api_url}/console`);
    return opened;
  }

  /** Opens the console and signs in. */
  static async of(browser: Browser, client: Pick<OwnClient, 'credentials'>, look: Look = {}): Promise<ConsolePage> {
    const opened = await ConsolePage.open(browser, look);
    await opened.signIn(client);
    return opened;
  }

  async signIn({ credentials }: Pick<OwnClient, 'credentials'>): Promise<void> {
    await this.page.getByLabel('API key').fill(credentials.api_key);
    await this.page.getByLabel('API secret').fill(credentials.api_secret);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByText('Live', { exact: true }).waitFor();
  }

  /** Shows a page by its address after `#/`. */
  async show(address: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${address}`)}`);
  }

  /** Opens the form of the filters of the list. */
  openFilters(): Promise<void> {
    return this.page.locator('details.filter > summary').click();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name });
  }

  /** The value of a fact by its name. */
  fact(name: string): Locator {
    return this.page.locator('.facts > div', { has: this.page.getByText(name, { exact: true }) }).locator('dd');
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
