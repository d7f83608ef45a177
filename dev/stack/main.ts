/**
 * `npm start`: the whole service on this machine until Ctrl-C. `--fresh` deletes its state first; `--inspect` lets
 * debuggers attach to API and worker; `--suppliers` also starts the fake suppliers.
 */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { curlExample, addressList } from './announcement';
import { messageOf, Problem } from './problem';
import { ROOT } from './run-directory';
import { Stack } from './stack';

function say(line: string): void {
  console.log(line);
}

function stopOnRequest(stack: Stack): void {
  const stop = (): void => {
    say('Stopping the stack ...');
    void stack.stop().then(() => {
      say('Stopped.');
      process.exit(0);
    });
  };
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(event, stop).on(event, () => undefined);
  // The parent process has ended.
  process.once('disconnect', stop);
}

/** The parent process has rebuilt the service. */
async function restartService(stack: Stack): Promise<void> {
  await stack.restartService().catch((error: unknown) => say(messageOf(error)));
  process.send?.('ready');
}

/** Makes the downloads, which no start waits for. The API lets a request for one wait: src/api/guides/downloads.ts. */
function makeDownloads(): void {
  const program = join(ROOT, 'dev/scripts/build.mjs');
  const build = spawn(process.execPath, [program, 'downloads'], { stdio: 'ignore' });
  build.once('spawn', () => setPriority(build.pid ?? 0, constants.priority.PRIORITY_LOW));
  build.once('exit', (code) => {
    if (code) say('The downloads could not be made: npm run build says why.');
  });
  process.once('exit', () => build.kill());
}

async function main(args: string[]): Promise<void> {
  const unknown = args.find((arg) => !['--fresh', '--inspect', '--suppliers'].includes(arg));
  if (unknown) throw new Problem(`Unknown argument ${unknown}; there are --fresh, --inspect and --suppliers.`);
  const began = Date.now();
  const stack = await Stack.open({
    fresh: args.includes('--fresh'),
    inspect: args.includes('--inspect'),
    hasFakes: args.includes('--suppliers'),
    done: Number(process.env['START_DONE'] ?? 0),
    say,
  });
  stopOnRequest(stack);
  try {
    const stackFile = await stack.start();
    say(addressList(stackFile, stack.signInLink, (Date.now() - began) / 1000));
    say(curlExample(stackFile));
    process.send?.('ready');
    process.on('message', () => void restartService(stack));
    makeDownloads();
  } catch (error) {
    const wasStopping = stack.isStopping;
    await stack.stop();
    if (!wasStopping) throw error;
  }
}

// The stack continues if the reader of its output ends.
process.stdout.on('error', () => undefined);

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Problem ? messageOf(error) : error);
  process.exit(1);
});
