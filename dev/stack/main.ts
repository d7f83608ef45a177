/**
 * `npm start`: the whole service on this machine until Ctrl-C. `--fresh` deletes its state first; `--inspect` lets
 * debuggers attach to API and worker.
 */
import { orderByCurl, whereEverythingIs } from './announcement';
import { messageOf, Problem } from './problem';
import { Stack } from './stack';

function say(line: string): void {
  console.log(line);
}

function stopOnRequest(stack: Stack): void {
  const stop = (): void => {
    say('Stopping ...');
    void stack.stop().then(() => process.exit(0));
  };
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(event, stop).on(event, () => undefined);
  // Whoever started this process is gone.
  process.once('disconnect', stop);
}

/** Whoever started this process has built the service anew. */
async function restartService(stack: Stack): Promise<void> {
  await stack.restartService().catch((error: unknown) => say(messageOf(error)));
  process.send?.('ready');
}

async function main(args: string[]): Promise<void> {
  const unknown = args.find((arg) => !['--fresh', '--inspect'].includes(arg));
  if (unknown) throw new Problem(`Unknown argument ${unknown}; there are --fresh and --inspect.`);
  const began = Date.now();
  const stack = await Stack.open({
    fresh: args.includes('--fresh'),
    inspect: args.includes('--inspect'),
    say,
  });
  stopOnRequest(stack);
  try {
    const stackFile = await stack.start();
    say(whereEverythingIs(stackFile, (Date.now() - began) / 1000));
    say(orderByCurl(stackFile));
    process.send?.('ready');
    process.on('message', () => void restartService(stack));
  } catch (error) {
    const askedFor = stack.isStopping;
    await stack.stop();
    if (!askedFor) throw error;
  }
}

// Whoever read the output may leave; the stack stays.
process.stdout.on('error', () => undefined);

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Problem ? messageOf(error) : error);
  process.exit(1);
});
