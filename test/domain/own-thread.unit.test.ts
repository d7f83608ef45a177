/** Work on a thread of its own. */
import { join } from 'node:path';
import { OwnThread } from '../../src/domain/own-thread';

const doubling = () => new OwnThread<number, number>(join(__dirname, 'doubling-thread.mjs'));

test('When it has several jobs, then each is answered with its own result', async () => {
  const thread = doubling();
  expect(await Promise.all([1, 2, 3].map((number) => thread.run(number)))).toEqual([2, 4, 6]);
});

test.each([
  ['throws', 13, 'thirteen'],
  ['ends the thread', 0, 'The thread has ended'],
])('When a job %s, then it fails with those behind it, and the next is done', async (_how, job, message) => {
  const thread = doubling();
  expect(await thread.run(1)).toBe(2);
  const outcomes = await Promise.allSettled([thread.run(job), thread.run(2)]);
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { message } },
    { status: 'rejected', reason: { message } },
  ]);
  expect(await thread.run(3)).toBe(6);
});
