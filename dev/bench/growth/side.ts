/** One of the two stacks that are compared: the same service with few and with many of something. */
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import pg from 'pg';
import { OrderClient } from '../order-client';
import { separateEnvironment, launchStack, readStackFile, type LaunchedStack } from '../../stack/launch';
import { removePostgres } from '../../stack/postgres';
import { RunDirectory } from '../../stack/run-directory';
import type { StackFile } from '../../stack/stack-file';
import { pathOf } from '../../../src/operators/operations/json-arguments';
import { maintenanceSchedules } from '../../../src/domain/maintenance';
import { Sealer } from '../../../src/security/sealing';
import { keyRingOf } from '../../testbed/stack-keys';
import { until } from '../../testbed/waiting';

export type SideName = 'small' | 'large';

/** A running stack with its connections. */
export class Side {
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly env: NodeJS.ProcessEnv,
    private readonly launched: LaunchedStack,
    readonly stack: StackFile,
    /** As the owner of the schema, without triggers and foreign keys. */
    readonly database: pg.Client,
    private readonly temporal: Connection,
    /** The client `load`, which has no effective limits. Its orders and reads are measured. */
    readonly client: OrderClient,
    readonly clientId: number,
    readonly walletId: number,
  ) {}

  /** Starts a new stack in `.run/growth/<name>`, on free ports, with these settings. */
  static async start(name: SideName, settings: NodeJS.ProcessEnv = {}): Promise<Side> {
    const env = { ...(await separateEnvironment(`.run/growth/${name}`)), ...settings };
    return Side.connect(env, await launchStack(env, ['--fresh'], true));
  }

  private static async connect(env: NodeJS.ProcessEnv, launched: LaunchedStack): Promise<Side> {
    const stack = readStackFile(launched.file);
    const { load } = stack.clients;
    const [wallet] = load?.wallets ?? [];
    if (!load || !wallet) throw new Error('The stack has no client load with a wallet.');
    const connection = await Connection.connect({ address: stack.temporal_address });
    const database = new pg.Client({ connectionString: stack.database_url });
    await database.connect();
    await database.query('SET session_replication_role = replica; SET synchronous_commit = off');
    const client = await OrderClient.login(stack);
    return new Side(env, launched, stack, database, connection, client, load.client_id, wallet.id);
  }

  /** Stops the stack and starts it again with its data. Returns it with the seconds of the start. */
  async restarted(): Promise<{ side: Side; seconds: number }> {
    await this.stop();
    const began = performance.now();
    const launched = await launchStack(this.env, [], true);
    const seconds = (performance.now() - began) / 1_000;
    return { side: await Side.connect(this.env, launched), seconds };
  }

  /** Stops the stack, unless it is stopped, and deletes its data, which may be gigabytes. */
  async discard(): Promise<void> {
    await this.stop();
    const directory = new RunDirectory(this.env['RUN_DIR']);
    removePostgres(directory);
    directory.clear();
  }

  private stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  private async end(): Promise<void> {
    await Promise.all([this.client.close(), this.database.end(), this.temporal.close()]);
    await this.launched.stop();
  }

  /** The id of the product that the scenario orders. */
  productOf(scenario: string): number {
    return Number(this.stack.scenarios.find(({ name }) => name === scenario)?.body['product_id']);
  }

  /** The only value of the only row that the statement returns, as a number. */
  async number(statement: string): Promise<number> {
    const { rows } = await this.database.query<[unknown]>({ text: statement, rowMode: 'array' });
    return Number(rows[0]?.[0]);
  }

  /** Calls an operation as a page of the back office does, as the stack's local admin. Throws its answer if it fails. */
  async operate(name: string, args: object): Promise<void> {
    const response = await fetch(`${this.stack.ops_url}${pathOf({ name })}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${new RunDirectory(this.env['RUN_DIR']).operatorToken()}`,
      },
      body: JSON.stringify(args),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${name}: ${text}`);
  }

  /** Seals as the stack does. */
  async sealer(): Promise<Sealer> {
    return new Sealer(await keyRingOf(this.stack, new RunDirectory(this.env['RUN_DIR'])));
  }

  /** Pauses the maintenance schedules, after a last run of the one that counts what has ended since the one before. */
  async quieten(): Promise<void> {
    for (const { id } of maintenanceSchedules) await this.patchSchedule(id, { pause: 'Only what is measured runs' });
    await this.runSchedule('maintenance');
  }

  /** Runs the maintenance schedule now, and returns once that run has ended. A run that is under way would suppress it. */
  async runSchedule(scheduleId: string): Promise<void> {
    const before = await this.newestRun(scheduleId);
    if (before !== undefined) await this.ended(before);
    await this.patchSchedule(scheduleId, { triggerImmediately: {} });
    const run = await until(`a run of ${scheduleId}`, async () => {
      const newest = await this.newestRun(scheduleId);
      return newest?.runId === before?.runId ? undefined : newest;
    });
    await this.ended(run);
  }

  private async patchSchedule(scheduleId: string, patch: temporal.api.schedule.v1.ISchedulePatch): Promise<void> {
    const schedule = { namespace: this.stack.temporal_namespace, scheduleId };
    await this.temporal.workflowService.patchSchedule({ ...schedule, patch, requestId: randomUUID() });
  }

  /** The newest workflow of the schedule. Two runs within a second share their workflow id. */
  private async newestRun(scheduleId: string): Promise<temporal.api.common.v1.IWorkflowExecution | undefined> {
    const schedule = { namespace: this.stack.temporal_namespace, scheduleId };
    const { info } = await this.temporal.workflowService.describeSchedule(schedule);
    return info?.recentActions?.at(-1)?.startWorkflowResult ?? undefined;
  }

  /** Waits for the end of the workflow in long polls, which cost the server nothing. */
  private async ended(execution: temporal.api.common.v1.IWorkflowExecution): Promise<void> {
    const { history } = await this.temporal.workflowService.getWorkflowExecutionHistory({
      namespace: this.stack.temporal_namespace,
      execution,
      waitNewEvent: true,
      historyEventFilterType: temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
    });
    if (!history?.events?.length) await this.ended(execution);
  }
}
