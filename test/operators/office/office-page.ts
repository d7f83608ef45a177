/** The back office in a browser. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Role } from '../../../src/domain/operators/roles';
import { SIGN_IN_LINK } from '../../../src/operators/operations/json-arguments';
import { ops } from '../../support/operator';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';
import { until } from '../../../dev/testbed/waiting';
import { findChromium, launchChromium } from '../../ui/browser';
import { faultsOf } from '../../ui/looks';

/** The time limit for an element to appear on a busy machine, in milliseconds. */
const PATIENCE_MS = 30_000;

/** How a window opens. `at`: an address below `/office/`; default: the start page. */
export interface Look {
  at?: string;
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  timezoneId?: string;
}

/** What a person gives in a control: a text or a choice, a tick, or a file. */
export type Filled = string | true | { name: string; text: string };

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * A browser for the tests of the `describe` that calls it. Windows that a test opens close after it. No window may then have complained, or
 * called another host.
 */
export function useOfficeBrowser(): OfficeBrowser {
  const browser = new OfficeBrowser();
  let earlier = 0;
  beforeAll(() => browser.open());
  beforeEach(() => {
    earlier = browser.windows.length;
  });
  afterEach(async () => {
    for (const window of browser.windows.splice(earlier)) await window.close();
    expect(browser.complaints.splice(0)).toEqual([]);
    expect(browser.foreign.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
  return browser;
}

/** A browser with people who are signed in. */
export class OfficeBrowser {
  /** The cookies of each person, so that each signs in once: codes by mail are few. */
  private readonly signedIn = new Map<Role, StorageState>();
  /** The errors of all pages: of scripts, and violations of the policy. */
  readonly complaints: string[] = [];
  /** The requests to other hosts. */
  readonly foreign: string[] = [];

  readonly windows: OfficePage[] = [];
  private browser: Browser | undefined;

  async open(): Promise<void> {
    this.browser = await launchChromium(findChromium() as string);
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** A window in which a person of the role is signed in. */
  async as(
    role: Role,
    { at = '', colorScheme = 'light', width = 1280, height = 860, timezoneId = 'UTC' }: Look = {},
  ): Promise<OfficePage> {
    const state = this.signedIn.get(role);
    if (!this.browser) throw new Error('The browser is not open.');
    const context = await this.browser.newContext({
      colorScheme,
      viewport: { width, height },
      timezoneId,
      reducedMotion: 'reduce',
      ...(state && { storageState: state }),
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(loadStack().ops_url) && !/^(data|blob):/.test(url)) this.foreign.push(url);
    });
    const opened = new OfficePage(context, page);
    this.windows.push(opened);
    if (!state) {
      await (role === 'admin' ? opened.followLink() : opened.signIn(role));
      this.signedIn.set(role, await context.storageState());
    }
    await opened.open(at);
    return opened;
  }
}

export class OfficePage {
  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  close(): Promise<void> {
    return this.context.close();
  }

  /** Opens a page by its address below `/office/`. */
  async open(address: string): Promise<void> {
    await this.page.goto(`${loadStack().ops_url}/office/${address}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    await this.settled();
  }

  /** Waits until the page has read its data. */
  async settled(): Promise<void> {
    await this.page.waitForLoadState('networkidle');
    await this.page.getByText('Loading …').first().waitFor({ state: 'hidden' });
  }

  /** Signs in as the local admin of the stack. */
  async followLink(): Promise<void> {
    const { ops_url: url } = loadStack();
    const response = await fetch(`${url}${SIGN_IN_LINK}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stackDirectory().operatorToken() ?? ''}` },
    });
    await this.page.goto(((await response.json()) as { link: string }).link);
  }

  /** Invites a person with the role, and signs in with the code from the mail, from the start page. */
  async signIn(role: Role): Promise<void> {
    const email = `${role}-${Date.now()}@goods.example`;
    await ops`people invite ${email} --name "Pat ${role}" --role ${role}`;
    await this.page.goto(`${loadStack().ops_url}/`);
    await this.page.getByLabel('Email address').fill(email);
    await this.page.getByRole('button', { name: 'Email me a code' }).click();
    await this.page.getByLabel('Code from the email').fill(await codeFor(email));
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.waitForURL(/\/office\//);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name });
  }

  /** Types a part of the name into a field of the dialog that finds it, and takes the first that is found. */
  async pick(label: string, part: string): Promise<void> {
    await this.dialog.getByRole('combobox', { name: label, exact: true }).pressSequentially(part);
    await this.dialog.locator('.picker [role=option]').first().click();
  }

  /** The open dialog. */
  get dialog(): Locator {
    return this.page.locator('dialog[open]');
  }

  /**
   * Presses a button that opens a dialog, fills it, and confirms what it says that will happen. Returns what it said. A dialog that is made
   * from the description of its operation has a confirmation of its own.
   */
  async act(button: Locator, fields: Readonly<Record<string, Filled>>, confirm: string | RegExp): Promise<string> {
    await this.press(button);
    await this.dialog.locator('.task, .operation').first().waitFor();
    if ((await this.dialog.locator('.task').count()) === 0) return change(this.dialog, fields, confirm);
    await fillIn(this.dialog, fields);
    const submit = this.dialog.getByRole('button', {
      name: confirm,
      exact: typeof confirm === 'string',
      disabled: false,
    });
    await submit.waitFor();
    const effect = await this.dialog.locator('.effect').innerText();
    await submit.click();
    return effect;
  }

  /** Presses a button, of what is done at once or has a dialog. The message about the last action is gone then. */
  async press(button: Locator): Promise<void> {
    await this.closeMessage();
    await button.click();
  }

  /** Closes the message about the last action, if there is one. That click also closes an open menu. */
  async closeMessage(): Promise<void> {
    const close = this.said.getByRole('button', { name: 'Close the message' });
    if ((await close.count()) > 0) await close.click();
  }

  /** What the page says about the last action. */
  get said(): Locator {
    return this.page.locator('.said');
  }

  /** Fills the form of an operation on its own page, and confirms what it previews. Returns the result. */
  async operate(name: string, fields: Readonly<Record<string, Filled>>, confirm: string): Promise<string> {
    await this.open(`operations/${name.replaceAll(' ', '/')}`);
    const main = this.page.getByRole('main');
    if ((await main.locator('.task').count()) > 0) {
      await fillIn(main, fields);
      await main.getByRole('button', { name: confirm, exact: true, disabled: false }).click();
      return this.outcome();
    }
    await change(main, fields, confirm);
    return main.locator('.result').innerText();
  }

  /** What the page says about the last action, or what its dialog shows. Closes the message or the dialog. */
  async outcome(): Promise<string> {
    const shown = this.page.locator('.said.done p, .said.failed p, dialog[open] .result');
    const text = await shown.first().innerText();
    const isInDialog = (await this.dialog.count()) > 0;
    if (isInDialog) await this.dialog.getByRole('button', { name: 'Close' }).click();
    // Closed now, and not when the next button is pressed: a click outside closes the menu of that button.
    else await this.said.getByRole('button', { name: 'Close the message' }).click();
    return text;
  }

  /** The faults of the page as it looks now. */
  faults(): Promise<string[]> {
    return faultsOf(this.page);
  }
}

/** The name of a button in a row, which also names the row. */
export const inRow = (name: string): RegExp => new RegExp(`^${name}: `);

/** The button of an operation about a row, whose menu is opened if the row has one. */
export async function ofRow(row: Locator, name: string): Promise<Locator> {
  const menu = row.getByRole('button', { name: 'More actions', exact: true });
  const button = row.getByRole('button', { name: inRow(name) });
  if ((await button.count()) === 0) await menu.first().click();
  return button;
}

/** Fills a form, and confirms what it previews. Returns the preview. */
async function change(
  form: Locator,
  fields: Readonly<Record<string, Filled>>,
  confirm: string | RegExp,
): Promise<string> {
  await fillIn(form, fields);
  const next = form.getByRole('button', { name: 'Continue' });
  const confirmation = form.locator('.confirm');
  // Without fields, a dialog begins with the confirmation.
  await next.or(confirmation).first().waitFor();
  if (await next.isVisible()) await next.click();
  const preview = await confirmation.innerText();
  await form.getByRole('button', { name: confirm, exact: typeof confirm === 'string' }).click();
  return preview;
}

async function fillIn(form: Locator, fields: Readonly<Record<string, Filled>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await fill(form.getByLabel(label, { exact: true }), value);
}

async function fill(control: Locator, value: Filled): Promise<void> {
  if (value === true) return control.check();
  if (typeof value !== 'string') {
    const { name, text } = value;
    return control.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  }
  if (await control.evaluate((element: { tagName: string }) => element.tagName === 'SELECT'))
    await control.selectOption(value);
  else await control.fill(value);
}

async function codeFor(email: string): Promise<string> {
  return until(`a code for ${email}`, async () => {
    const mails = (await (await fetch(`${loadStack().mailbox_url}/messages`)).json()) as {
      to: unknown;
      subject: string;
    }[];
    const mail = mails.findLast(
      ({ to, subject }) => JSON.stringify(to).includes(email) && subject.startsWith('Your code'),
    );
    return mail && (await textOf(mail));
  });
}

async function textOf(mail: object): Promise<string | undefined> {
  const { text = '' } = mail as { text?: string };
  return /\b\d{6}\b/.exec(text)?.[0];
}
