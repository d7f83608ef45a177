/** `maintenance`: the schedules that keep the service in order. docs/operators/maintenance.md. */
import type { Client, ScheduleHandle } from '@temporalio/client';
import { recordOperation } from '../../../data/audit/audit-entries';
import type { OpsAction } from '../../../domain/audit';
import { maintenanceSchedules } from '../../../domain/maintenance';
import { schedulesOf } from '../../../temporal/prepare';
import { inTerminal, word } from '../arguments';
import type { Context } from '../context';
import { oneOf } from '../kinds';
import { everyRole, neededReason, operation } from '../operation';

const names = maintenanceSchedules.map(({ id }) => id);
const schedule = inTerminal(word(oneOf('name', names), 'the schedule'), 'see maintenance list');

const list = operation({
  name: 'maintenance list',
  about: 'The schedules: whether each is paused, its last runs and its next one',
  roles: everyRole,
  effect: 'reads',
  arguments: {},
  columns: { schedule: 'text', paused: 'flag', note: 'text', last_run_at: 'time', next_run_at: 'time' },
  run: ({ withTemporal }) =>
    withTemporal((temporal) => Promise.all(names.map(async (name) => rowOf(name, await described(temporal, name))))),
});

function described(temporal: Client, name: string) {
  return schedulesOf(temporal).getHandle(name).describe();
}

function rowOf(name: string, { state, info }: Awaited<ReturnType<typeof described>>) {
  return {
    schedule: name,
    paused: state.paused,
    note: state.note ?? null,
    last_run_at: info.recentActions.at(-1)?.takenAt ?? null,
    next_run_at: info.nextActionTimes[0] ?? null,
  };
}

/** Throws if Temporal does not answer, or has no such schedule. */
async function assertScheduled({ withTemporal }: Context, { schedule: name }: { schedule?: string }): Promise<void> {
  if (name !== undefined) await withTemporal((temporal) => described(temporal, name));
}

const run = operation({
  name: 'maintenance run',
  button: 'Run now',
  about: 'Run a schedule at once, also a paused one',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  arguments: { schedule },
  trial: 'NONE',
  check: assertScheduled,
  async run(context, { schedule: name }) {
    await change(context, 'maintenance.triggered', name, (handle) => handle.trigger());
    return `${name} runs now. See its result with: attention`;
  },
});

const pause = operation({
  name: 'maintenance pause',
  about: 'Pause a schedule until it is resumed',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: { schedule, reason: neededReason },
  trial: 'NONE',
  check: assertScheduled,
  preview: (_context, { schedule: name }) =>
    Promise.resolve(`Pauses ${name}: nothing that it does happens until you resume it.`),
  async run(context, { schedule: name, reason }) {
    await change(context, 'maintenance.paused', name, (handle) => handle.pause(`${context.operator}: ${reason}`));
    return `${name} is paused. Resume it with: maintenance resume ${name}`;
  },
});

const resume = operation({
  name: 'maintenance resume',
  about: 'Let a paused schedule run again',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: { schedule },
  trial: 'NONE',
  check: assertScheduled,
  async run(context, { schedule: name }) {
    await change(context, 'maintenance.resumed', name, (handle) => handle.unpause(`resumed by ${context.operator}`));
    return `${name} runs again.`;
  },
});

/** Changes the schedule within the transaction of the audit entry, so that a rejected change leaves none. */
function change(
  { database, withTemporal }: Context,
  action: OpsAction,
  name: string,
  apply: (handle: ScheduleHandle) => Promise<void>,
): Promise<void> {
  return withTemporal((temporal) =>
    database.transaction(async (transaction) => {
      await recordOperation(database, { action, object: `schedule/${name}` }, transaction);
      await apply(schedulesOf(temporal).getHandle(name));
    }),
  );
}

export const maintenanceOperations = [list, run, pause, resume];
