/** `ops deploy drain`: waits until no open order is pinned to a replaced version, or moves such orders. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryAndWorkflowId, WorkflowExecutionInfo } from '@temporalio/client';
import { recordOperation } from '../../data/audit/audit-entries';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import { readVariable } from '../../settings/read-settings';
import { historyOf } from '../../temporal/histories';
import { dataConverter } from '../../temporal/connection';
import { countPinned, listPinned, listVersions, moveTo } from '../../temporal/deployment';
import { listVersionStatus, nameOfVersion, POLL_INTERVAL_MS, polledVersions, type Deployments } from './deployments';
import { keysOf } from './command-resources';

/** The delay of Temporal's visibility store: a count of 0 is reliable if it is still 0 after this time. */
const VISIBILITY_LAG_MS = 3_000;

/** `moves`: whether orders that remain after the wait are moved to the current version. */
type DrainOptions = Readonly<{ timeoutMs: number; moves: boolean }>;

/** Waits until no open order is pinned to the version, or to any replaced version. Throws if some remain. */
export async function drain(
  deployments: Deployments,
  version: string | undefined,
  options: DrainOptions,
): Promise<void> {
  if (version !== undefined) return drainVersion(deployments, version, options);
  const replaced = (await listVersionStatus(deployments)).filter(
    ({ version: name, state, open_orders: open }) => name !== nameOfVersion('') && state === 'replaced' && open > 0,
  );
  if (replaced.length === 0) console.log('No open order is pinned to a replaced version.');
  for (const { version: name } of replaced) await drainVersion(deployments, name, options);
}

async function drainVersion(deployments: Deployments, from: string, { timeoutMs, moves }: DrainOptions): Promise<void> {
  const to = await versionThatReplaced(deployments, from);
  if (moves && to === '') throw new Error('Orders can only move to a version: promote one first.');
  if (moves) assertReleaseIs(to);
  const { open, hasWorker } = await waitUntilDrained(deployments, from, timeoutMs);
  if (open === 0) return console.log(`No open order is pinned to ${from}: its workers can be stopped.`);
  if (moves) return moveAndReport(deployments, from, to);
  const why = hasWorker ? `after ${timeoutMs / 1_000} s` : `and no worker of ${from} runs, so they make no progress`;
  const remedy = hasWorker ? `Keep the workers of ${from} running` : `Start a worker of ${from}`;
  const move = to === '' ? '' : `, or move the orders to ${to}: deploy drain ${from} --move-stragglers`;
  throw new Error(
    `${open} open orders are pinned to ${from} ${why}: ${await namesOfPinned(deployments, from, open)}. ` +
      `${remedy}${move}`,
  );
}

/** Returns the current version; '' after a rollback to unversioned workers. Throws if nothing has replaced the given version. */
async function versionThatReplaced({ temporal }: Deployments, version: string): Promise<string> {
  const versions = await listVersions(temporal);
  const current = versions.find(({ isCurrent }) => isCurrent)?.version;
  const drained = versions.find((known) => known.version === version);
  if (!drained) {
    const known = versions.map((each) => each.version).join(', ') || 'none';
    throw new Error(`There is no version ${version}. Known: ${known}.`);
  }
  if (current === version)
    throw new Error(`${version} is the current version: promote another one before it is drained.`);
  if (current === undefined && !drained.lastCurrentAt) throw new Error('No version is current: promote one first.');
  return current ?? '';
}

/** Throws unless this process runs the code of the current version: a replay checks only the code of this process. */
function assertReleaseIs(current: string): void {
  const release = readVariable('DEPLOYMENT_VERSION');
  if (release === current) return;
  throw new Error(
    `Only the release that orders are moved to can replay them: run this with the code of ${current} ` +
      `and DEPLOYMENT_VERSION=${current} (here it is ${release ?? 'empty'}).`,
  );
}

/** Returns the number of orders that remain at the deadline, or as soon as no worker of the version runs. */
async function waitUntilDrained(
  deployments: Deployments,
  version: string,
  timeoutMs: number,
): Promise<{ open: number; hasWorker: boolean }> {
  const deadline = performance.now() + timeoutMs;
  let emptySince: number | undefined;
  for (;;) {
    const open = await countPinned(deployments.temporal, version);
    const now = performance.now();
    emptySince = open === 0 ? (emptySince ?? now) : undefined;
    if (emptySince !== undefined && now - emptySince >= VISIBILITY_LAG_MS) return { open, hasWorker: true };
    const hasWorker = (await polledVersions(deployments)).includes(version);
    if (open > 0 && (!hasWorker || now > deadline)) return { open, hasWorker };
    deployments.progress(`${open} open orders are pinned to ${version} ...`);
    await sleep(POLL_INTERVAL_MS);
  }
}

async function namesOfPinned({ temporal }: Deployments, version: string, count: number): Promise<string> {
  const names: string[] = [];
  for await (const { workflowId } of listPinned(temporal, version)) {
    names.push(workflowId);
    if (names.length === MAX_NAMED) break;
  }
  return firstNames(names, ', ', count);
}

async function moveAndReport(deployments: Deployments, from: string, to: string): Promise<void> {
  const { quietReplays } = await import('./quiet-replays.js');
  const replay = quietReplays(dataConverter(await keysOf(deployments)));
  const check: ReplayCheck = async (run) => {
    for await (const { error } of replay([run])) return error;
    return 'it could not be replayed';
  };
  const { moved, left } = await moveStragglers(deployments, { from, to, check });
  for (const workflowId of moved) console.log(`${workflowId} continues with ${to}.`);
  for (const { workflowId, error } of left) console.error(`${workflowId} is not moved: ${error}`);
  if (left.length === 0) return console.log(`Nothing is pinned to ${from}: its workers can be stopped.`);
  throw new Error(
    `${left.length} orders cannot continue with ${to}: keep a worker of ${from} for them, or terminate them in the ` +
      `Temporal UI, and maintenance restarts them with ${to} within 5 minutes.`,
  );
}

/** Returns the error of the run's replay; undefined if the replay matches. */
export type ReplayCheck = (run: HistoryAndWorkflowId) => Promise<string | undefined>;

/** Moves the runs whose replay matches, and records them in the audit log. Ended runs are neither `moved` nor `left`. */
export async function moveStragglers(
  { database, temporal, progress }: Pick<Deployments, 'database' | 'temporal' | 'progress'>,
  { from, to, check }: { from: string; to: string; check: ReplayCheck },
): Promise<{ moved: string[]; left: { workflowId: string; error: string }[] }> {
  const moved: string[] = [];
  const left: { workflowId: string; error: string }[] = [];
  // Reads the whole list first, because each move changes it.
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of listPinned(temporal, from)) runs.push(run);
  try {
    for (const run of runs) {
      const { workflowId } = run;
      const history = await historyOf(temporal, run);
      if (!history) continue;
      const error = await check({ workflowId, history });
      if (error !== undefined) left.push({ workflowId, error });
      else if (await moveTo(temporal, run, to)) moved.push(workflowId);
      progress(`${moved.length} of ${runs.length} moved to ${to} ...`);
    }
  } finally {
    await recordMoved(database, { from, to, moved });
  }
  return { moved, left };
}

async function recordMoved(
  database: Deployments['database'],
  { from, to, moved }: { from: string; to: string; moved: string[] },
): Promise<void> {
  if (moved.length === 0) return;
  const after = { version: to, moved };
  await recordOperation(database, { action: 'deployment.stragglers_moved', object: `version/${from}`, after });
}
