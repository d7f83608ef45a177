/** Records in the audit what operators did in Temporal. docs/decisions/0036-audit-operators-with-triggers.md. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Database } from '../../data/database/database';
import {
  forgetNotes,
  listNotedRuns,
  notesOf,
  recordWorkflowCall,
  withoutRecordedEnd,
  type Note,
} from '../../data/operations/operator-messages';
import type { WorkflowCall, WorkflowRun } from '../../domain/operations/operator-messages';
import { day, minute } from '../../domain/time';
import { forEachItem } from '../../async/promises';
import { callsOf, terminatedEvent } from '../../temporal/workflow-calls';

interface Dependencies {
  database: Database;
  auditDatabase: Database;
  temporal: Client;
}

/** Milliseconds until the workflow task that received a message is in the history. */
const SETTLED_AFTER_MS = 5_000;
/** Histories of one batch. */
const BATCH = 500;

/** Records every message of an operator to a workflow, and every run that an operator terminated or reset. */
export async function recordOperatorCalls(deps: Dependencies): Promise<void> {
  const { database } = deps;
  for (let runs: WorkflowRun[] = []; ;) {
    runs = await listNotedRuns(database, SETTLED_AFTER_MS, BATCH);
    await forEachItem(runs, async (run) => {
      const notes = await notesOf(database, run);
      await recordRun(deps, run, notes);
      await forgetNotes(database, notes);
    });
    if (runs.length < BATCH) break;
  }
  await recordTerminated(deps);
}

/** A terminated workflow cannot record its own termination. */
async function recordTerminated(deps: Dependencies): Promise<void> {
  const since = new Date(Date.now() - day).toISOString();
  const query = `ExecutionStatus = 'Terminated' AND CloseTime > '${since}'`;
  const ended: WorkflowRun[] = [];
  for await (const { workflowId, runId } of deps.temporal.workflow.list({ query }))
    ended.push({ workflowId, runId });
  const unrecorded = await withoutRecordedEnd(deps.database, ended, terminatedEvent);
  await forEachItem(unrecorded, (run) => recordRun(deps, run, []));
}

/** Skips a history that Temporal no longer has. */
async function recordRun(deps: Dependencies, run: WorkflowRun, notes: Note[]): Promise<void> {
  try {
    for (const call of await callsOf(deps.temporal, run)) {
      const note = notes.find(({ ordinal }) => ordinal === call.ordinal);
      if (note || !isNotePending(call)) await recordWorkflowCall(deps, call, note?.before ?? null);
    }
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The workflow is about to write a note, which has the state before the call. */
function isNotePending({ ordinal, at }: WorkflowCall): boolean {
  return ordinal !== null && Date.now() - at.getTime() < minute;
}
