/** `npm start`: the whole service on this machine until Ctrl-C. `--fresh` deletes its state first. */
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

async function main(args: string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== '--fresh');
  if (unknown.length > 0) throw new Problem(`Unknown argument ${unknown[0]}; the only one is --fresh.`);
  const began = Date.now();
  const stack = await Stack.open({ fresh: args.includes('--fresh'), say });
  stopOnRequest(stack);
  try {
    const stackFile = await stack.start();
    say(whereEverythingIs(stackFile, (Date.now() - began) / 1000));
    say(orderByCurl(stackFile));
    process.send?.('ready');
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
