/**
 * Deploying a release under orders that run: which version new orders go to, and how long an older one is needed.
 * docs/operators/deploying.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, HistoryAndWorkflowId, WorkflowExecutionInfo } from '@temporalio/client';
import type { Database } from '../data/database/database';
import { listOrderPollers } from '../data/orders/order-pollers';
import { versionOfNewOrders } from '../temporal/deployment';
import {
  countPinned,
  historyOf,
  listPinned,
  listVersions,
  makeCurrent,
  moveTo,
  type DeployedVersion,
} from '../temporal/deployment-versions';

/** How often it is looked, in milliseconds. */
const LOOK_MS = 1_000;
/** Visibility may be so much late, in milliseconds: what is gone is gone if it is still gone then. */
const SETTLED_MS = 3_000;
/** So many workflows are named where there are more. */
const NAMED = 5;

export interface Deployments {
  database: Database;
  temporal: Client;
  /** Told how far waiting has come. */
  tell: (sentence: string) => void;
}

/** A version as operators see it; '' is what runs unversioned. */
export interface VersionStatus {
  version: string;
  state: 'current' | 'replaced' | 'not promoted';
  /** Processes that take orders as this version. */
  processes: string[];
  /** Open orders that end with this version. */
  openOrders: number;
  /** Nothing needs its workers any more. */
  isDrained: boolean;
  /** What is to be done about it; undefined if nothing is. */
  next: string | undefined;
}

/** How a version is named to operators. */
export function nameOf(version: string): string {
  return version === '' ? 'unversioned' : version;
}

/** Every version, newest first, and what runs unversioned where something does. */
export async function statusOf({ database, temporal }: Deployments): Promise<VersionStatus[]> {
  const versions = await listVersions(temporal);
  const pollers = new Map(
    (await listOrderPollers(database)).map(({ version, processes }) => [version, processes]),
  );
  const isVersioned = versions.some(({ isCurrent }) => isCurrent);
  const unversioned = {
    version: '',
    isCurrent: !isVersioned,
    lastCurrentAt: isVersioned ? new Date(0) : undefined,
  };
  const all = await Promise.all(
    [...versions, unversioned].map(async (known) => {
      const processes = pollers.get(known.version) ?? [];
      const openOrders = await countPinned(temporal, known.version);
      return withNext(known, processes, openOrders);
    }),
  );
  return all.filter(
    ({ version, state, processes, openOrders }) =>
      version !== '' || state === 'current' || processes.length > 0 || openOrders > 0,
  );
}

function withNext(
  { version, isCurrent, lastCurrentAt }: DeployedVersion,
  processes: string[],
  openOrders: number,
): VersionStatus {
  const state = isCurrent ? 'current' : lastCurrentAt ? 'replaced' : 'not promoted';
  const isDrained = state === 'replaced' && openOrders === 0;
  const status = { version, state, processes, openOrders, isDrained } as const;
  return { ...status, next: nextStep(status) };
}

function nextStep({
  version,
  state,
  processes,
  openOrders,
}: Omit<VersionStatus, 'next'>): string | undefined {
  const runs = processes.length > 0;
  switch (state) {
    case 'current':
      return runs ? undefined : 'start its workers: creates are refused until one takes orders';
    case 'not promoted':
      return runs ? `deploy promote ${version}` : 'start its workers';
    case 'replaced':
      // Orders that began unversioned go on with the current version at their next task.
      if (version === '') return runs ? 'stop its workers' : undefined;
      if (openOrders > 0)
        return runs ? `deploy drain ${version}` : `deploy drain ${version} --move-stragglers`;
      return runs ? 'stop its workers' : undefined;
  }
}

/** Makes the version the one that new orders go to, once a worker of it polls. Returns the one before. */
export async function promote(deployments: Deployments, version: string, timeoutMs: number): Promise<string> {
  const before = await versionOfNewOrders(deployments.temporal);
  if (before === version) return before;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const missing = await whatIsMissing(deployments, version);
    if (missing === undefined) break;
    if (performance.now() > deadline)
      throw new Error(`${missing} New orders still go to ${nameOf(before)}: nothing has changed.`);
    deployments.tell(missing);
    await sleep(LOOK_MS);
  }
  await untilRouted(deployments, version, deadline);
  return before;
}

/** Makes it current if it can be. Else returns a sentence that says what is missing. */
async function whatIsMissing(
  { database, temporal }: Deployments,
  version: string,
): Promise<string | undefined> {
  const polling = await polledVersions(database);
  if (!polling.includes(version)) {
    const others = polling.map(nameOf);
    const setting = version === '' ? 'without DEPLOYMENT_VERSION' : `with DEPLOYMENT_VERSION=${version}`;
    const seen = others.length > 0 ? `Those that do: ${others.join(', ')}.` : 'None does at all.';
    return `No worker of ${nameOf(version)} takes orders: start one ${setting}. ${seen}`;
  }
  const refusal = await makeCurrent(temporal, version);
  return refusal === undefined
    ? undefined
    : `Temporal does not take ${nameOf(version)} as current yet: ${refusal}.`;
}

async function untilRouted(
  { temporal, tell }: Deployments,
  version: string,
  deadline: number,
): Promise<void> {
  while ((await versionOfNewOrders(temporal)) !== version) {
    if (performance.now() > deadline) {
      throw new Error(
        `${nameOf(version)} is current, but the queue of orders has not heard of it: see deploy status.`,
      );
    }
    tell('Waiting for the queue of orders to hear of it.');
    await sleep(LOOK_MS);
  }
}

/** Makes the version current that was before. Returns both. */
export async function rollBack(
  deployments: Deployments,
  timeoutMs: number,
): Promise<{ from: string; to: string }> {
  const versions = await listVersions(deployments.temporal);
  const from = versions.find(({ isCurrent }) => isCurrent)?.version;
  if (from === undefined) throw new Error('No version is current: there is nothing to roll back.');
  const [last] = versions
    .filter(({ isCurrent, lastCurrentAt }) => !isCurrent && lastCurrentAt)
    .sort((one, other) => Number(other.lastCurrentAt) - Number(one.lastCurrentAt));
  // The first version came after workers without one.
  const to = last?.version ?? '';
  if (!last && !(await polledVersions(deployments.database)).includes('')) {
    throw new Error(`No version was current before ${from}: there is none to roll back to.`);
  }
  await promote(deployments, to, timeoutMs);
  return { from, to };
}

/** The versions that a process takes orders as. */
async function polledVersions(database: Database): Promise<string[]> {
  const pollers = await listOrderPollers(database);
  return pollers.filter(({ processes }) => processes.length > 0).map(({ version }) => version);
}

/** What became of a drained version. */
export interface Drained {
  moved: string[];
  /** Runs that the current version would do otherwise, with where. They were left as they are. */
  left: { workflowId: string; error: string }[];
}

/** The versions that were replaced and that open orders are pinned to. */
export async function versionsToDrain(deployments: Deployments): Promise<string[]> {
  const status = await statusOf(deployments);
  return status
    .filter(({ version, state, openOrders }) => version !== '' && state === 'replaced' && openOrders > 0)
    .map(({ version }) => version);
}

/** Throws a sentence unless the version is one that can be drained. Returns the current one. */
export async function currentBeside({ temporal }: Deployments, version: string): Promise<string> {
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

/**
 * Waits until no open order is pinned to the version. Returns how many are where that takes longer, or where no
 * worker of the version runs, so that nothing would change.
 */
export async function waitUntilDrained(
  deployments: Deployments,
  version: string,
  timeoutMs: number,
): Promise<{ open: number; runs: boolean }> {
  const deadline = performance.now() + timeoutMs;
  let emptySince: number | undefined;
  for (;;) {
    const open = await countPinned(deployments.temporal, version);
    const now = performance.now();
    emptySince = open === 0 ? (emptySince ?? now) : undefined;
    if (emptySince !== undefined && now - emptySince >= SETTLED_MS) return { open: 0, runs: true };
    const runs = (await polledVersions(deployments.database)).includes(version);
    if (open > 0 && (!runs || now > deadline)) return { open, runs };
    deployments.tell(`${open} open orders are pinned to ${version} ...`);
    await sleep(LOOK_MS);
  }
}

/** Whether a run would go on as it is by the release of this tool: undefined, or where it would do otherwise. */
export type ReplayCheck = (run: HistoryAndWorkflowId) => Promise<string | undefined>;

/** Moves what is pinned to a version to another one whose replay does what the run did. */
export async function moveStragglers(
  { temporal, tell }: Pick<Deployments, 'temporal' | 'tell'>,
  { from, to, check }: { from: string; to: string; check: ReplayCheck },
): Promise<Drained> {
  const drained: Drained = { moved: [], left: [] };
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of listPinned(temporal, from)) runs.push(run);
  for (const run of runs) {
    const error = await check(await historyOf(temporal, run));
    if (error === undefined) {
      await moveTo(temporal, run, to);
      drained.moved.push(run.workflowId);
    } else {
      drained.left.push({ workflowId: run.workflowId, error });
    }
    tell(`${drained.moved.length} of ${runs.length} moved to ${to} ...`);
  }
  return drained;
}

/** Some of what is pinned to the version, by workflow id. */
export async function namesOfPinned({ temporal }: Deployments, version: string): Promise<string> {
  const names: string[] = [];
  for await (const { workflowId } of listPinned(temporal, version)) {
    if (names.length === NAMED) return `${names.join(', ')}, ...`;
    names.push(workflowId);
  }
  return names.join(', ');
}
