/** The client of the bare workflow: starts it and waits for its end in one call, as an order request does. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import type { StackFile } from '../../stack/stack-file';
import { bareQueue, converterOf, type BareSetting } from './setting';

export class BareFlow {
  private constructor(
    private readonly temporal: Client,
    private readonly worker: ChildProcess,
  ) {}

  /** Connects to the stack's Temporal server and starts a worker in addition to those of the service. */
  static async start({ temporal_address: address, temporal_namespace: namespace }: StackFile): Promise<BareFlow> {
    const setting: BareSetting = { address, namespace, keys: `bench:${randomBytes(32).toString('base64')}` };
    const worker = fork(join(__dirname, 'worker.js'));
    const exit = once(worker, 'exit').then(() => {
      throw new Error('The worker of the bare workflow did not start: see above.');
    });
    worker.send(setting);
    await Promise.race([once(worker, 'message'), exit]);
    exit.catch(() => undefined);
    const connection = await Connection.connect({ address });
    return new BareFlow(new Client({ connection, namespace, dataConverter: converterOf(setting) }), worker);
  }

  /** Runs the workflow once. */
  async run(): Promise<void> {
    await this.temporal.workflow.executeUpdateWithStart('answer', {
      updateId: 'answer',
      startWorkflowOperation: new WithStartWorkflowOperation('bareFlow', {
        workflowId: `bench-${randomUUID()}`,
        taskQueue: bareQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowTaskTimeout: '3s',
      }),
    });
  }

  /** The process of its worker. */
  get pid(): number {
    return this.worker.pid ?? 0;
  }

  async stop(): Promise<void> {
    await this.temporal.connection.close();
    this.worker.disconnect();
    await once(this.worker, 'exit');
  }
}
