/**
 * The steps of `ops deploy`. Unlike the Temporal CLI, they check that processes poll, count open orders, replay orders
 * before they move them, and write audit entries. docs/operators/deploying.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, HistoryAndWorkflowId, WorkflowExecutionInfo } from '@temporalio/client';
import { recordOperation } from '../data/operations/audit';
import { listOrderPollers } from '../data/operations/running-processes';
import { dataConverter } from '../temporal/connection';
import {
  countPinned,
  listPinned,
  listVersions,
  makeCurrent,
  moveTo,
  versionOfNewOrders,
} from '../temporal/deployment';
import type { Progress } from './output';
import { keysOf, type Session } from './session';

const POLL_INTERVAL_MS = 1_000;
/** Visibility may lag by this many milliseconds: a count of 0 is reliable if it is still 0 after that time. */
const VISIBILITY_LAG_MS = 3_000;
/** At most this many workflows are named in an error. */
const MAX_NAMED = 5;

export interface Deployments extends Omit<Session, 'command'> {
  temporal: Client;
  progress: Progress;
}

/** A version as `deploy status` lists it. */
export interface VersionStatus {
  version: string;
  state: 'current' | 'replaced' | 'not promoted';
  /** Processes that take orders as this version. */
  polled_by: string[];
  /** Open orders that are pinned to this version. */
  open_orders: number;
  /** Its workers can be stopped. */
  drained: boolean;
  /** The operator's next step; null if there is none. */
  next: string | null;
}

const nameOf = (version: string) => (version === '' ? 'unversioned' : version);

/** Every version, newest first, then the unversioned workers if they are current, take orders or have open orders. */
export async function listVersionStatus({ database, temporal }: Deployments): Promise<VersionStatus[]> {
  const versions = await listVersions(temporal);
  const isVersioned = versions.some(({ isCurrent }) => isCurrent);
  const unversioned = { version: '', isCurrent: !isVersioned, lastCurrentAt: new Date(0) };
  const pollers = await listOrderPollers(database);
  const all = await Promise.all(
    [...versions, unversioned].map(async ({ version, isCurrent, lastCurrentAt }): Promise<VersionStatus> => {
      const state = isCurrent ? 'current' : lastCurrentAt ? 'replaced' : 'not promoted';
      const polled = pollers.find((one) => one.version === version)?.processes ?? [];
      const open = await countPinned(temporal, version);
      return {
        version: nameOf(version),
        state,
        polled_by: polled,
        open_orders: open,
        drained: state === 'replaced' && open === 0,
        next: nextStep(version, state, polled.length > 0, open),
      };
    }),
  );
  const isUsed = ({ state, polled_by: polled, open_orders: open }: VersionStatus) =>
    state === 'current' || polled.length > 0 || open > 0;
  return all.filter((status, index) => index < versions.length || isUsed(status));
}

function nextStep(
  version: string,
  state: VersionStatus['state'],
  runs: boolean,
  open: number,
): string | null {
  if (state === 'current')
    return runs ? null : 'start its workers: order requests are rejected until one takes orders';
  if (state === 'not promoted') return runs ? `deploy promote ${version}` : 'start its workers';
  // Unversioned orders move to the current version with their next task.
  if (open === 0 || version === '') return runs ? 'stop its workers' : null;
  return `deploy drain ${version}${runs ? '' : ' --move-stragglers'}`;
}

/** Gives new orders to the version as soon as one of its workers polls. Returns what happens to the other orders. */
export async function promote(deployments: Deployments, version: string, timeoutMs: number): Promise<string> {
  const before = await versionOfNewOrders(deployments.temporal);
  if (before === version) return `${version} is the current version already.`;
  await route(deployments, { from: before, to: version }, timeoutMs);
  const others =
    before === ''
      ? `Unversioned orders continue with ${version} at their next step.`
      : `Orders of ${before} end with it: deploy drain ${before}`;
  return `New orders go to ${version} from now on.\n${others}`;
}

/** Gives new orders to the version that was current before. */
export async function rollBack(deployments: Deployments, timeoutMs: number): Promise<string> {
  const versions = await listVersions(deployments.temporal);
  const from = versions.find(({ isCurrent }) => isCurrent)?.version;
  if (from === undefined) throw new Error('No version is current: there is nothing to roll back.');
  const [last] = versions
    .filter(({ isCurrent, lastCurrentAt }) => !isCurrent && lastCurrentAt)
    .sort((one, other) => Number(other.lastCurrentAt) - Number(one.lastCurrentAt));
  // Unversioned workers came before the first version.
  const to = last?.version ?? '';
  if (!last && !(await polledVersions(deployments)).includes(''))
    throw new Error(`No version was current before ${from}: there is none to roll back to.`);
  await route(deployments, { from, to }, timeoutMs);
  return `New orders go to ${nameOf(to)} again, instead of ${from}.\nOrders of ${from} end with it: deploy drain ${from}`;
}

/**
 * Makes the version current, and waits until new orders go to it. The audit entry comes right after the change, because Temporal
 * does not record who changed the current version, and a repetition finds nothing to change.
 */
async function route(
  deployments: Deployments,
  { from, to }: { from: string; to: string },
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const unchanged = `New orders still go to ${nameOf(from)}.`;
  await repeat(deployments, deadline, async () => {
    const missing = await missingFor(deployments, to);
    return missing && `${missing} ${unchanged}`;
  });
  await recordOperation(deployments.database, {
    action: 'deployment.current_changed',
    object: `version/${to}`,
    before: { version: from },
    after: { version: to },
  });
  await repeat(deployments, deadline, async () => {
    if ((await versionOfNewOrders(deployments.temporal)) === to) return undefined;
    return `${nameOf(to)} is the current version, but the orders queue does not use it yet. See: deploy status`;
  });
}

/** Repeats the attempt until it returns undefined. After the deadline, throws the reason that it returns. */
async function repeat(
  { progress }: Deployments,
  deadline: number,
  attempt: () => Promise<string | undefined>,
): Promise<void> {
  for (;;) {
    const missing = await attempt();
    if (missing === undefined) return;
    if (performance.now() > deadline) throw new Error(missing);
    progress(missing);
    await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * Attempts to make the version current. Returns why that failed; undefined after a success. Temporal accepts a version whose
 * workers are gone, so the service's own list of processes is checked first.
 */
async function missingFor(deployments: Deployments, version: string): Promise<string | undefined> {
  const polled = await polledVersions(deployments);
  if (!polled.includes(version)) {
    const setting = version === '' ? 'without DEPLOYMENT_VERSION' : `with DEPLOYMENT_VERSION=${version}`;
    const others = polled.map(nameOf).join(', ') || 'none';
    return `No worker of ${nameOf(version)} takes orders: start one ${setting}. Versions with workers: ${others}.`;
  }
  const rejection = await makeCurrent(deployments.temporal, version);
  if (rejection === undefined) return undefined;
  return `Temporal rejects ${nameOf(version)} as the current version: ${rejection}.`;
}

/** The versions under which a process takes orders. */
async function polledVersions({ database }: Deployments): Promise<string[]> {
  const pollers = await listOrderPollers(database);
  return pollers.filter(({ processes }) => processes.length > 0).map(({ version }) => version);
}

/** `moves`: the remaining orders are moved to the current version afterwards. */
type DrainOptions = Readonly<{ timeoutMs: number; moves: boolean }>;

/** Waits until no open order is pinned to the version, or to any replaced version. Throws if some remain. */
export async function drain(
  deployments: Deployments,
  version: string | undefined,
  options: DrainOptions,
): Promise<void> {
  if (version !== undefined) return drainVersion(deployments, version, options);
  const replaced = (await listVersionStatus(deployments)).filter(
    ({ version: name, state, open_orders: open }) => name !== nameOf('') && state === 'replaced' && open > 0,
  );
  if (replaced.length === 0) console.log('No open order is pinned to a replaced version.');
  for (const { version: name } of replaced) await drainVersion(deployments, name, options);
}

async function drainVersion(
  deployments: Deployments,
  from: string,
  { timeoutMs, moves }: DrainOptions,
): Promise<void> {
  const to = await currentVersionToReplace(deployments, from);
  if (moves) assertReleaseIs(to, deployments.config);
  const { open, runs } = await waitUntilDrained(deployments, from, timeoutMs);
  if (open === 0) return console.log(`No open order is pinned to ${from}: its workers can be stopped.`);
  if (moves) return moveAndReport(deployments, from, to);
  const why = runs
    ? `after ${timeoutMs / 1_000} s`
    : 'and none of its workers runs, so they make no progress';
  throw new Error(
    `${open} open orders are pinned to ${from} ${why}: ${await namesOfPinned(deployments, from)}. ` +
      `${runs ? 'Keep its workers running' : 'Start one'}, or move them to ${to}: deploy drain ${from} --move-stragglers`,
  );
}

/** Returns the current version. Throws unless it has replaced the given version. */
async function currentVersionToReplace({ temporal }: Deployments, version: string): Promise<string> {
  const versions = await listVersions(temporal);
  const current = versions.find(({ isCurrent }) => isCurrent)?.version;
  if (!versions.some((known) => known.version === version)) {
    const known = versions.map((each) => each.version).join(', ') || 'none';
    throw new Error(`There is no version ${version}. Known: ${known}.`);
  }
  if (current === version)
    throw new Error(`${version} is the current version: promote another one before it is drained.`);
  if (current === undefined) throw new Error('No version is current: promote one first.');
  return current;
}

/** The replay shows what the code of this process would do. */
function assertReleaseIs(current: string, { deploymentVersion }: Session['config']): void {
  if (deploymentVersion === current) return;
  throw new Error(
    `Only the release that orders are moved to can replay them: run this with the code of ${current} ` +
      `and DEPLOYMENT_VERSION=${current} (here it is ${deploymentVersion ?? 'empty'}).`,
  );
}

/** Returns the number of orders that remain at the deadline, or as soon as no worker of the version runs. */
async function waitUntilDrained(
  deployments: Deployments,
  version: string,
  timeoutMs: number,
): Promise<{ open: number; runs: boolean }> {
  const deadline = performance.now() + timeoutMs;
  for (let emptySince: number | undefined; ;) {
    const open = await countPinned(deployments.temporal, version);
    const now = performance.now();
    emptySince = open === 0 ? (emptySince ?? now) : undefined;
    if (emptySince !== undefined && now - emptySince >= VISIBILITY_LAG_MS) return { open, runs: true };
    const runs = (await polledVersions(deployments)).includes(version);
    if (open > 0 && (!runs || now > deadline)) return { open, runs };
    deployments.progress(`${open} open orders are pinned to ${version} ...`);
    await sleep(POLL_INTERVAL_MS);
  }
}

async function namesOfPinned({ temporal }: Deployments, version: string): Promise<string> {
  const names: string[] = [];
  for await (const { workflowId } of listPinned(temporal, version)) {
    if (names.length === MAX_NAMED) return `${names.join(', ')}, ...`;
    names.push(workflowId);
  }
  return names.join(', ');
}

async function moveAndReport(deployments: Deployments, from: string, to: string): Promise<void> {
  const { replay } = await import('../temporal/replay.js');
  const converter = dataConverter(await keysOf(deployments));
  const check: ReplayCheck = async (run) => {
    for await (const { error } of replay([run], converter)) return error;
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

/** Returns where the replay of the run differs; undefined if it matches. */
export type ReplayCheck = (run: HistoryAndWorkflowId) => Promise<string | undefined>;

/**
 * Moves each run that is pinned to `from` to the version `to` if its replay matches, and writes the audit entry of the moved
 * ones, also after an error. `left`: runs that were not moved. A run that has ended meanwhile is in neither list.
 */
export async function moveStragglers(
  { database, temporal, progress }: Pick<Deployments, 'database' | 'temporal' | 'progress'>,
  { from, to, check }: { from: string; to: string; check: ReplayCheck },
): Promise<{ moved: string[]; left: { workflowId: string; error: string }[] }> {
  const moved: string[] = [];
  const left: { workflowId: string; error: string }[] = [];
  // The list is read first, because each move changes it.
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of listPinned(temporal, from)) runs.push(run);
  try {
    for (const run of runs) {
      const { workflowId, runId } = run;
      const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
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
  await recordOperation(database, {
    action: 'deployment.stragglers_moved',
    object: `version/${from}`,
    after,
  });
}
