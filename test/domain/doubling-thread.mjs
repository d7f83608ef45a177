/** A thread for test/domain/own-thread.unit.test.ts: doubles numbers, fails with 13, ends with 0. */
import process from 'node:process';
import { parentPort } from 'node:worker_threads';

parentPort.on('message', (number) => {
  if (number === 13) throw new Error('thirteen');
  if (number === 0) process.exit(1);
  parentPort.postMessage(number * 2);
});
