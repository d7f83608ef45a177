/** The shape of an order of one and nothing else: a local, a regular and a local activity, and an update that waits for the end. */
import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Nothing } from './activities';

const local = proxyLocalActivities<Nothing>({ startToCloseTimeout: '20s' });
const regular = proxyActivities<Nothing>({ startToCloseTimeout: '20s' });

export async function bareFlow(): Promise<void> {
  let isOver = false;
  setHandler(defineUpdate('answer'), () => condition(() => isOver));
  await local.nothing();
  await regular.nothing();
  await local.nothing();
  isOver = true;
  await condition(allHandlersFinished);
}
