/** The smallest workflow with an answer: three local activities, and an update that waits for their end. */
import { allHandlersFinished, condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type * as activities from './activities';

const { nothing } = proxyLocalActivities<typeof activities>({ startToCloseTimeout: '20s' });

export async function bareFlow(): Promise<void> {
  let isOver = false;
  setHandler(defineUpdate('answer'), () => condition(() => isOver));
  await nothing();
  await nothing();
  await nothing();
  isOver = true;
  await condition(allHandlersFinished);
}
