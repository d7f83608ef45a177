/** The worker of the bare workflow: a separate process with the same limits as the service's worker. */
import { once } from 'node:events';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { nothing } from './activities';
import { bareQueue, converterOf, type BareSetting } from './setting';

async function main(): Promise<void> {
  const [setting] = (await once(process, 'message')) as [BareSetting];
  const logger = new DefaultLogger('WARN');
  Runtime.install({ logger });
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address: setting.address }),
    namespace: setting.namespace,
    dataConverter: converterOf(setting),
    workflowBundle: await bundleWorkflowCode({ workflowsPath: require.resolve('./workflow'), logger }),
    activities: { nothing },
    taskQueue: bareQueue,
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 200,
  });
  process.once('disconnect', () => worker.shutdown());
  process.send?.('ready');
  await worker.run();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
