/** A small workflow that takes every call of the Temporal UI: signals, updates, queries, and an activity that never succeeds. */
import {
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';

export interface TicketActivities {
  work(): Promise<string>;
}

const { work } = proxyActivities<TicketActivities>({ startToCloseTimeout: '1m', summary: 'Works on the ticket' });

/** Ends when it is closed, or when its activity completes. Returns what it noted, and the result of the activity. */
export async function ticket(): Promise<string[]> {
  const notes: string[] = [];
  let isClosed = false;
  setHandler(defineSignal<[string]>('note'), (text) => void notes.push(text), { description: 'Notes a text' });
  setHandler(defineUpdate<string, [string]>('close'), (reason) => {
    isClosed = true;
    return `Closed: ${reason}`;
  });
  setHandler(defineQuery<string[]>('notes'), () => notes);
  setCurrentDetails('**Waiting** for the desk');
  void work().then(
    (result) => notes.push(result) && (isClosed = true),
    () => undefined,
  );
  await condition(() => isClosed);
  return notes;
}
