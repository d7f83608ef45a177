/** The Temporal UI as an operator uses it: the list, a workflow's page, and its messages. */
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { SIGN_IN_LINK } from '../../src/operators/operations/json-arguments';
import { callOperators } from '../../src/operators/cli/operators-process';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';
import { findChromium, launchChromium } from './browser';

/** The time limit of a page on a busy machine, in milliseconds. */
const PATIENCE_MS = 30_000;

/** The size of the window. */
export const viewport = { width: 1400, height: 900 };

/** The number of checks of a page before it is reloaded. */
const LOOKS_BEFORE_RELOAD = 30;

/** The list columns that operators need first. */
export const needsAttention = "ExecutionStatus = 'Running' AND Attention IS NOT NULL";

export class TemporalUi {
  private constructor(
    private readonly browser: Browser,
    readonly page: Page,
  ) {}

  /** Opens a browser. Close it in `afterAll`. */
  static async open(): Promise<TemporalUi> {
    const browser = await launchChromium(findChromium() as string);
    const page = await browser.newPage({ viewport, timezoneId: 'UTC' });
    page.setDefaultTimeout(PATIENCE_MS);
    return new TemporalUi(browser, page);
  }

  /** Opens a browser and signs in at the operators' process of the stack, as its local admin. */
  static async signedIn(): Promise<TemporalUi> {
    const ui = await TemporalUi.open();
    const access = { url: loadStack().ops_url, token: stackDirectory().operatorToken() ?? '' };
    const response = await callOperators(access, SIGN_IN_LINK, { method: 'POST' });
    const { link } = (await response.json()) as { link: string };
    await ui.page.goto(link);
    return ui;
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  /** Opens the list of workflows that the query finds. */
  async openList(query: string): Promise<void> {
    const { ops_url: url, temporal_namespace: namespace } = loadStack();
    await this.page.goto(`${url}/temporal/namespaces/${namespace}/workflows?query=${encodeURIComponent(query)}`);
    await this.page.getByTestId('workflow-count').waitFor();
  }

  /** Changes the columns of the list for this browser. */
  async chooseColumns(removed: readonly string[], added: readonly string[]): Promise<void> {
    await this.page.getByTestId('workflows-summary-table-configuration-button').click();
    for (const name of removed) await this.page.getByTestId(`orderable-list-item-${name}-remove-button`).click();
    for (const name of added) await this.page.getByTestId(`orderable-list-item-${name}-add-button`).click();
    await this.page.reload();
  }

  /** Opens a workflow from the list. Reloads the list until it shows the workflow. */
  async openWorkflow(workflowId: string): Promise<void> {
    const line = this.page.locator(`a:has-text("${workflowId}")`).first();
    await until(`${workflowId} in the list`, async () => {
      const isThere = await line.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => undefined,
      );
      if (!isThere) await this.page.reload();
      return isThere;
    });
    await line.click();
    await this.page.getByRole('tab', { name: 'User Metadata' }).waitFor();
  }

  /** The page's details: the order, its state and the possible actions. */
  async readDetails(wanted = /Since: |Last change: |: nothing was debited/): Promise<string> {
    await this.openTab('User Metadata');
    return this.untilText(wanted);
  }

  async openTab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name }).click();
  }

  /** Waits until the page shows the text, with reloads as an operator does. Returns the page's text. */
  async untilText(wanted: RegExp): Promise<string> {
    let looks = 0;
    return until(
      `the page to show ${String(wanted)}`,
      async () => {
        const text = await this.text();
        if (wanted.test(text)) return text;
        if (++looks % LOOKS_BEFORE_RELOAD === 0) await this.page.reload();
        return undefined;
      },
      45,
    );
  }

  /** The full text of the page, including the frames of the details. */
  private async text(): Promise<string> {
    const frames = this.page.frames().map((frame) =>
      frame
        .locator('body')
        .innerText({ timeout: 1_000 })
        .catch(() => ''),
    );
    return (await Promise.all(frames)).join('\n');
  }

  /** Sends a signal without argument. */
  async signal(name: string): Promise<void> {
    const dialog = await this.choose('Signal', name);
    await this.submit(dialog, `/signal/${name}`);
    await dialog.waitFor({ state: 'hidden' }).catch(async () => {
      throw new Error(`The dialog stays open: ${await dialog.innerText()}`);
    });
  }

  /** Types the argument and sends an update. Returns the reason of a rejection; undefined if it was accepted. */
  async update(name: string, argument: string): Promise<string | undefined> {
    const dialog = await this.choose('Update', name);
    await dialog.locator('[contenteditable=true]').first().click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(argument);
    await this.submit(dialog, `/update/${name}`);
    return this.answerIn(dialog);
  }

  /**
   * Clicks until the message is sent. The editor reformats JSON when it loses the focus, which moves the button, so the
   * first click may miss it.
   */
  private async submit(dialog: Locator, path: string): Promise<void> {
    let isSent = false;
    const see = (request: Request) => void (isSent ||= request.url().includes(path));
    this.page.on('request', see);
    try {
      await until('the message to be sent', async () => {
        if (isSent) return true;
        const sent = this.page.waitForEvent('request', { predicate: () => isSent, timeout: 5_000 });
        const button = dialog.getByTestId('confirm-modal-button');
        await Promise.allSettled([sent, button.click({ timeout: 5_000 })]);
        return undefined;
      });
    } finally {
      this.page.off('request', see);
    }
  }

  /** The error of the dialog; undefined once it closes, which means success. */
  private async answerIn(dialog: Locator): Promise<string | undefined> {
    const { refusal } = await until(
      'an answer',
      async () => {
        if (!(await dialog.isVisible())) return { refusal: undefined };
        // The dialog cannot be closed while it waits for the response.
        const isWaiting = dialog.getByTestId('cancel-modal-button').isDisabled({ timeout: 1_000 });
        if (await isWaiting.catch(() => true)) return undefined;
        const text = await dialog.innerText({ timeout: 1_000 }).catch(() => '');
        const [, refusal = ''] = /payload supported\.\s*(.*?)\s*\bCancel\b/s.exec(text) ?? [];
        return refusal === '' ? undefined : { refusal };
      },
      60,
    );
    if (refusal !== undefined) await this.cancel(dialog);
    return refusal;
  }

  private cancel(dialog: Locator): Promise<void> {
    return dialog.getByTestId('cancel-modal-button').click();
  }

  /** Runs the page's first query. Returns the page's text once the response shows the field. */
  async query(wanted: string): Promise<string> {
    await this.openTab('Queries');
    await this.page.getByRole('button', { name: 'Run Query' }).click();
    return this.untilText(new RegExp(`"${wanted}"`));
  }

  private async choose(kind: 'Signal' | 'Update', name: string): Promise<Locator> {
    await this.page.getByRole('button', { name: 'More Actions' }).click();
    await this.page.getByRole('menuitem', { name: kind }).first().click();
    const dialog = this.page.locator('dialog[open]');
    await dialog.getByTestId(`${kind.toLowerCase()}-select-button`).click();
    // Its name comes first; what follows tells what it does, and may name others.
    const option = { visible: true, hasText: new RegExp(`^\\s*${name}\\b`) };
    await this.page.getByRole('option').filter(option).click();
    return dialog;
  }
}
