/** Runs the commands for the simulator of its page unchanged against a separate simulator. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { always, cleanUp, esimOf, purchaseOf, start, supplierAt } from '../support/simulator';
import { shellCommands } from './documents';

const run = promisify(execFile);
const commands = shellCommands('docs/developers/local-stack.md').filter((command) => command.startsWith('curl'));

afterAll(cleanUp);

/** Machines without curl skip the page. */
const onThisMachine = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

onThisMachine('When the commands of the page are run in their order, then each is answered 200', async () => {
  const simulator = await start();
  const supplier = supplierAt(simulator);
  // The page's examples: order 12 with its purchase, and a delivered eSIM.
  await supplier.purchase(purchaseOf({ reference: 'order-12-5f0c9a-0001' }), always);
  const bought = await supplier.purchase(esimOf('SIM-ESIM-SANDBOX-INSTANT'), always);
  const [profile] = bought.goods;
  const iccid = profile?.kind === 'esim' ? profile.iccid : '';

  for (const command of commands) {
    const line = command.replace('http://127.0.0.1:4010', simulator.url).replace('<iccid>', iccid);
    const { stdout } = await run('sh', ['-c', `${line} -s -w '\\n%{http_code}'`]);
    expect({ command, answer: stdout }).toMatchObject({ answer: expect.stringMatching(/\n200$/) as string });
  }
});
