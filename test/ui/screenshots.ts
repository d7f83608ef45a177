/**
 * `npm run screenshots`: the pictures of docs/operators/temporal-ui.md and docs/developers/orders.md, of the console and of the back office
 * in README.md, taken anew on the stack that runs, or on one of its own, in an empty browser.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { callControl } from '../../dev/stack/controls';
import { withStack } from '../../dev/stack/launch';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import type { Database } from '../../src/data/database/database';
import { takeConsole } from '../console/screenshot';
import { takeOffice } from '../operators/office/screenshot';
import { newClient, type OwnClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { scenarioNamed } from '../support/orders';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { closed, workflowOf } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { findChromium } from './browser';
import { needsAttention, TemporalUi, viewport } from './temporal-ui';

const folder = join(ROOT, 'docs/operators/images');

const consolePicture = join(ROOT, 'docs/images/console.png');

/** A picture is no larger than this (bytes). */
const MOST_BYTES = 150_000;

interface Scene {
  ui: TemporalUi;
  temporal: Client;
  database: Database;
  client: OwnClient;
}

async function order({ temporal, database, client }: Scene, scenario: string) {
  const { path, body } = scenarioNamed(scenario);
  const { body: placed } = await client.api.post<Resource>(path, body);
  return { id: placed.id, workflow: await workflowOf(temporal, database, placed.id) };
}

async function picture({ ui }: Scene, name: string): Promise<void> {
  await ui.page.screenshot({ path: picturePath(name), clip: { x: 270, y: 110, width: 1100, height: 660 } });
  checkSize(picturePath(name));
}

function picturePath(name: string): string {
  return join(folder, `${name}.png`);
}

function checkSize(path: string): void {
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes: at most ${MOST_BYTES} are allowed`);
  console.log(`${path}: ${size} bytes`);
}

async function detailsOf(scene: Scene, workflowId: string, name: string): Promise<void> {
  await scene.ui.openList(`WorkflowId = '${workflowId}'`);
  await scene.ui.openWorkflow(workflowId);
  await scene.ui.readDetails();
  await picture(scene, name);
}

/** The history of an ended order, one row for each step, from the first to the last. */
async function storyOf(scene: Scene, { workflowId }: WorkflowHandle, name: string): Promise<void> {
  const { page } = scene.ui;
  // Rows with a summary need the width.
  await page.setViewportSize({ width: 1700, height: 1100 });
  await scene.ui.openList(`WorkflowId = '${workflowId}'`);
  await scene.ui.openWorkflow(workflowId);
  await scene.ui.openTab('Event History');
  await page.getByText('Compact').click();
  // The browser remembers the choice.
  const descending = page.getByRole('button', { name: 'Descending' });
  if (await descending.isVisible()) await descending.click();
  await scene.ui.untilText(/Debit \d+\.\d\d USD from wallet/);
  const table = await page.getByTestId('event-summary-table').boundingBox();
  if (!table) throw new Error('The page shows no history');
  // With the heading above it, without the page numbers below it.
  const clip = { ...table, y: table.y - 60, height: table.height + 2 };
  await page.screenshot({ path: picturePath(name), clip });
  checkSize(picturePath(name));
  await page.setViewportSize(viewport);
}

function outage(seconds: number): Promise<void> {
  return callControl(loadStack().simulator_url, 'POST', 'outage', { seconds });
}

async function takeAll(scene: Scene): Promise<void> {
  // Its request is answered after 60 s.
  const slow = order(scene, 'esim_slow');
  await takeSituations(scene);
  const instant = await order(scene, 'voucher_instant');
  const refunded = await order(scene, 'voucher_out_of_stock');
  for (const [name, { workflow }] of Object.entries({ instant, slow: await slow, refunded })) {
    await closed(workflow);
    await storyOf(scene, workflow, `order-${name}`);
  }
}

/** An order in each situation that an operator meets. */
async function takeSituations(scene: Scene): Promise<void> {
  const parked = await order(scene, 'voucher_needs_operator');
  const failed = await order(scene, 'voucher_out_of_stock');
  await closed(failed.workflow);
  const running = await order(scene, 'voucher_slow');
  await detailsOf(scene, running.workflow.workflowId, 'running');
  await until(
    'the parked order',
    async () => (await parked.workflow.describe()).searchAttributes['Attention']?.[0],
    90,
  );
  await outage(60);
  const stuck = await order(scene, 'topup_instant');
  await until('a failed attempt', async () => {
    const { raw } = await stuck.workflow.describe();
    return (raw.pendingActivities?.[0]?.attempt ?? 0) > 2;
  });
  await detailsOf(scene, stuck.workflow.workflowId, 'stuck');
  await outage(0);
  await detailsOf(scene, parked.workflow.workflowId, 'parked');
  await scene.ui.openList(`WorkflowId = '${failed.workflow.workflowId}'`);
  await scene.ui.openWorkflow(failed.workflow.workflowId);
  await scene.ui.untilText(/units delivered/);
  await picture(scene, 'failed');
  await scene.ui.openList(needsAttention);
  await scene.ui.chooseColumns(['Run ID', 'Type', 'Start', 'End'], ['OrderStatus', 'Supplier', 'Attention']);
  await scene.ui.untilText(/cannot say whether it sold/);
  await picture(scene, 'needs-attention');
}

async function main(): Promise<void> {
  if (!findChromium()) throw new Error('No Chromium is found. Install chromium, or set CHROMIUM_PATH.');
  process.env['STACK_FILE'] ??= new RunDirectory().file('stack.json');
  mkdirSync(folder, { recursive: true });
  await takeConsole(consolePicture);
  checkSize(consolePicture);
  for (const path of await takeOffice(folder)) checkSize(path);
  const database = stackDatabase();
  const temporal = await serviceTemporalClient();
  const ui = await TemporalUi.signedIn();
  try {
    await takeAll({ ui, temporal, database, client: await newClient(database, { USD: 1_000 }) });
  } finally {
    await ui.close();
    await temporal.connection.close();
    await database.close();
  }
}

void withStack(main);
