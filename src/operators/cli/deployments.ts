/** `deploy status|promote|rollback`: unlike the Temporal CLI, with checks and audit entries. docs/operators/deploying.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { recordOperation } from '../../data/audit/audit-entries';
import { listOrderPollers } from '../../data/maintenance/running-processes';
import {
  countPinned,
  listVersions,
  makeCurrent,
  versionOfNewOrders,
  type DeployedVersion,
} from '../../temporal/deployment';
import type { Progress } from '../operations/context';
import type { Session } from './command-resources';

export const POLL_INTERVAL_MS = 1_000;

export interface Deployments extends Pick<Session, 'database'> {
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
  /** Whether the workers of this version can be stopped. */
  drained: boolean;
  /** The operator's next step; null if there is none. */
  next: string | null;
}

/** The version, or `unversioned` for workers without a version. */
export const nameOfVersion = (version: string) => (version === '' ? 'unversioned' : version);

/** The current version has the latest time; one that never was current has none. */
const lastCurrentFirst = (one: DeployedVersion, other: DeployedVersion): number =>
  Number(other.lastCurrentAt ?? 0) - Number(one.lastCurrentAt ?? 0);

/**
 * Every version: the current one, then those that were, the last one first, then the others, newest first. Then the unversioned
 * workers if they are current, take orders or have open orders. `deploy/production/release.sh` relies on this order.
 */
export async function listVersionStatus({ database, temporal }: Deployments): Promise<VersionStatus[]> {
  const versions = (await listVersions(temporal)).sort(lastCurrentFirst);
  const isVersioned = versions.some(({ isCurrent }) => isCurrent);
  // Unversioned workers count as replaced once a version is current.
  const unversioned = { version: '', isCurrent: !isVersioned, lastCurrentAt: new Date(0) };
  const pollers = await listOrderPollers(database);
  const all = await Promise.all(
    [...versions, unversioned].map(async ({ version, isCurrent, lastCurrentAt }): Promise<VersionStatus> => {
      const state = isCurrent ? 'current' : lastCurrentAt ? 'replaced' : 'not promoted';
      const processes = pollers.find((poller) => poller.version === version)?.processes ?? [];
      const openOrders = await countPinned(temporal, version);
      return {
        version: nameOfVersion(version),
        state,
        polled_by: processes,
        open_orders: openOrders,
        drained: state === 'replaced' && openOrders === 0,
        next: nextStep({ version, state, openOrders, hasWorker: processes.length > 0, canMove: isVersioned }),
      };
    }),
  );
  const isUsed = ({ state, polled_by: polled, open_orders: open }: VersionStatus) =>
    state === 'current' || polled.length > 0 || open > 0;
  return all.filter((status, index) => index < versions.length || isUsed(status));
}

/** `polled_by` has no bulk workers, so the next step names them. */
const START = 'start its workers and bulk workers';

/** `canMove`: whether a version is current, to which orders can move. */
function nextStep({
  version,
  state,
  openOrders,
  hasWorker,
  canMove,
}: {
  version: string;
  state: VersionStatus['state'];
  openOrders: number;
  hasWorker: boolean;
  canMove: boolean;
}): string | null {
  if (state === 'current') return hasWorker ? null : `${START}: order requests are rejected until one takes orders`;
  if (state === 'not promoted') return hasWorker ? `deploy promote ${version}` : START;
  // Unversioned orders move to the current version with their next task.
  if (openOrders === 0 || version === '') return hasWorker ? 'stop its workers and bulk workers' : null;
  if (!hasWorker && !canMove) return START;
  return `deploy drain ${version}${hasWorker ? '' : ' --move-stragglers'}`;
}

/** Gives new orders to the version as soon as one of its workers polls. Returns the result as text. */
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

/**
 * Gives new orders to the older version that was current last. A newer version was rolled back before, so a second rollback does
 * not return to it. Returns the result as text.
 */
export async function rollBack(deployments: Deployments, timeoutMs: number): Promise<string> {
  const versions = await listVersions(deployments.temporal);
  const index = versions.findIndex(({ isCurrent }) => isCurrent);
  const from = versions[index]?.version;
  if (from === undefined) throw new Error('No version is current: there is nothing to roll back.');
  const wasCurrent = ({ lastCurrentAt }: DeployedVersion) => lastCurrentAt !== undefined;
  const [previous] = versions
    .slice(index + 1)
    .filter(wasCurrent)
    .sort(lastCurrentFirst);
  if (!previous && versions.slice(0, index).some(wasCurrent))
    throw new Error(`No older version than ${from} was current. To return to a newer one: deploy promote <version>.`);
  // Unversioned workers came before the first version.
  const to = previous?.version ?? '';
  if (!previous && !(await polledVersions(deployments)).includes(''))
    throw new Error(`No version was current before ${from}: there is none to roll back to.`);
  await route(deployments, { from, to }, timeoutMs);
  return `New orders go to ${nameOfVersion(to)} again, instead of ${from}.\nOrders of ${from} end with it: deploy drain ${from}`;
}

/** Makes the version current and waits until new orders go to it. */
async function route(
  deployments: Deployments,
  { from, to }: { from: string; to: string },
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const unchanged = `New orders still go to ${nameOfVersion(from)}.`;
  await repeat(deployments, deadline, async () => {
    const obstacle = await makeCurrentIfPolled(deployments, to);
    return obstacle && `${obstacle} ${unchanged}`;
  });
  // Recorded before the wait: if the wait fails, a repeated command may find nothing to change.
  await recordOperation(deployments.database, {
    action: 'deployment.current_changed',
    object: `version/${to}`,
    before: { version: from },
    after: { version: to },
  });
  await repeat(deployments, deadline, async () => {
    if ((await versionOfNewOrders(deployments.temporal)) === to) return undefined;
    return `${nameOfVersion(to)} is the current version, but the orders queue does not use it yet. See: deploy status`;
  });
}

/** Repeats the attempt until it returns undefined. After the deadline, throws the obstacle that the attempt returned. */
async function repeat(
  { progress }: Deployments,
  deadline: number,
  attempt: () => Promise<string | undefined>,
): Promise<void> {
  for (;;) {
    const obstacle = await attempt();
    if (obstacle === undefined) return;
    if (performance.now() > deadline) throw new Error(obstacle);
    progress(obstacle);
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Makes the version current if its workers poll. Returns the obstacle if it cannot; undefined after a success. */
async function makeCurrentIfPolled(deployments: Deployments, version: string): Promise<string | undefined> {
  const polled = await polledVersions(deployments);
  // Temporal would accept a version whose workers are gone.
  if (!polled.includes(version)) {
    const setting = version === '' ? 'without DEPLOYMENT_VERSION' : `with DEPLOYMENT_VERSION=${version}`;
    const others = polled.map(nameOfVersion).join(', ') || 'none';
    return `No worker of ${nameOfVersion(version)} takes orders: start one ${setting}. Versions with workers: ${others}.`;
  }
  const rejection = await makeCurrent(deployments.temporal, version);
  if (rejection === undefined) return undefined;
  return `Temporal rejects ${nameOfVersion(version)} as the current version: ${rejection}.`;
}

/** The versions under which a process takes orders. */
export async function polledVersions({ database }: Deployments): Promise<string[]> {
  const pollers = await listOrderPollers(database);
  return pollers.filter(({ processes }) => processes.length > 0).map(({ version }) => version);
}
