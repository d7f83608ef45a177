/** The operators of the service: its command-line tool, and what they do to workflows in the Temporal UI. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { OperatorAct } from '../plan/disturbances';
import { ROOT } from '../../stack/run-directory';
import type { SupplierControls } from './supplier';

/** How the tool ended, and what it printed. */
export interface Outcome {
  ok: boolean;
  text: string;
}

/** An entry of the operators' list that is about an order. */
export interface ListedOrder {
  order_id: number;
  kind: string;
  reason: string;
}

/** What an operator looks at in `orders show`. */
export interface OrderReport {
  workflow_id: string;
  family: string;
  quantity: number;
  delivered_quantity: number;
  completed_at: string | null;
}

const RUNNING_ORDERS = `ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH "order-"`;

interface Execution {
  workflowId: string;
  runId: string;
}

/** Of the orders that an operator chooses among, the share that has not ended; the others came in last. */
const OPEN_SHARE = 0.7;
const RECENT = 15;

/** Newest first: those whose first workflow task is still to come are among them. */
const SIGNALLED_AT_ONCE = 10;
const SIGNAL_EVERY_MS = 100;

export class Operators {
  private constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly temporal: Client,
    private readonly supplier: SupplierControls,
  ) {}

  static async open(environment: NodeJS.ProcessEnv, supplier: SupplierControls): Promise<Operators> {
    const address = environment['TEMPORAL_ADDRESS'] ?? '';
    const connection = await Connection.connect({ address });
    const namespace = environment['TEMPORAL_NAMESPACE'] ?? 'default';
    return new Operators(environment, new Client({ connection, namespace }), supplier);
  }

  async close(): Promise<void> {
    await this.temporal.connection.close();
  }

  /** Runs a command of the tool. */
  run(...words: (string | number)[]): Promise<Outcome> {
    const command = ['--enable-source-maps', join(ROOT, 'dist/src/ops/main.js'), ...words.map(String)];
    const options = { env: this.environment, maxBuffer: 256 * 1024 * 1024, timeout: 300_000 };
    return new Promise((resolve) => {
      execFile(process.execPath, command, options, (error, stdout, stderr) =>
        resolve({ ok: error === null, text: stdout.trim() === '' ? stderr.trim() : stdout }),
      );
    });
  }

  /** Runs a command that prints rows. Throws what it says instead. */
  async rows<Row>(...words: (string | number)[]): Promise<Row[]> {
    const { text } = await this.run('--json', ...words);
    if (!text.startsWith('[')) throw new Error(`${words.join(' ')}: ${text}`);
    return JSON.parse(text) as Row[];
  }

  /** What stands on the operators' list of orders. */
  async listedOrders(): Promise<ListedOrder[]> {
    const listed = await this.rows<ListedOrder & { order_id: number | null }>('attention');
    return listed.filter(({ order_id: id }) => id !== null);
  }

  /** Tells the workflows to go on at once instead of at their next try. */
  async retryNow(orderIds: readonly number[]): Promise<void> {
    for (const orderId of orderIds) {
      const [order] = await this.executions(`OrderId = ${orderId} AND ExecutionStatus = 'Running'`);
      const handle = order && this.temporal.workflow.getHandle(order.workflowId);
      await handle?.signal('retryNow').catch(() => undefined);
    }
  }

  /** Signals every running order again and again, with what the service and operators send. Returns what ends it. */
  signalAll(): () => Promise<void> {
    const ended = new AbortController();
    const signalling = this.signalUntil(ended.signal);
    return () => {
      ended.abort();
      return signalling;
    };
  }

  private async signalUntil(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      const running = await this.executions(RUNNING_ORDERS).catch(() => []);
      for (const { workflowId } of running.slice(0, SIGNALLED_AT_ONCE)) {
        const handle = this.temporal.workflow.getHandle(workflowId);
        // An order that ends takes no signal any more.
        await Promise.all([handle.signal('attentionChanged'), handle.signal('retryNow')]).catch(
          () => undefined,
        );
      }
      await sleep(SIGNAL_EVERY_MS);
    }
  }

  /**
   * Does something to one of the orders (`choice`, 0 to 1, picks it among the last) or workflows. Returns what
   * was done and what came of it.
   */
  async act(act: OperatorAct, choice: number, orderIds: readonly number[]): Promise<string> {
    const orderId = act === 'decide' ? undefined : await this.chooseOrder(choice, orderIds);
    switch (act) {
      case 'cancel':
        return this.tell(orderId, 'cancel', '--reason', 'Called off by chance');
      case 'ask-again':
        return this.tell(orderId, 'resolve', 'ask-again');
      case 'decide':
        return this.decide(choice);
      case 'reset':
        return this.reset(orderId, choice);
      case 'terminate-order':
        return this.terminate(`OrderId = ${orderId ?? 0} AND ExecutionStatus = 'Running'`, choice);
      case 'delete-order':
        return this.delete(orderId);
      case 'terminate-monitor':
        return this.terminate(`WorkflowType = 'esimMonitor' AND ExecutionStatus = 'Running'`, choice);
      case 'terminate-maintenance':
        return this.terminate(
          `WorkflowType IN ('housekeeping', 'runMaintenance') AND ExecutionStatus = 'Running'`,
          choice,
        );
    }
  }

  private async chooseOrder(choice: number, orderIds: readonly number[]): Promise<number | undefined> {
    const isOpen = (choice * 1_000) % 1 < OPEN_SHARE;
    const running = isOpen ? await this.executions(RUNNING_ORDERS) : [];
    const open = running.map(({ workflowId }) => Number(workflowId.split('-')[1]));
    return picked(open.length > 0 ? open : orderIds.slice(-RECENT), choice);
  }

  private async tell(orderId: number | undefined, command: string, ...words: string[]): Promise<string> {
    if (orderId === undefined) return 'no order yet';
    const { text } = await this.run('orders', command, orderId, ...words);
    return `order ${orderId}: ${text.trim()}`;
  }

  /**
   * Decides about an order that waits for it, as far as an operator can know: what the supplier really sold is
   * seen in its portal. Now and then an operator is mistaken.
   */
  private async decide(choice: number): Promise<string> {
    const waiting = await this.listedOrders();
    const order = picked(waiting, choice);
    if (!order) return 'nothing to decide';
    const { order_id: orderId } = order;
    const isBought = (await this.supplier.bought(orderId)).some(({ units }) => units > 0);
    const isMistaken = (choice * 100) % 1 < 0.2;
    if (isBought !== isMistaken) return this.tell(orderId, 'resolve', 'ask-again');
    if ((choice * 10) % 1 < 0.6) {
      return this.tell(orderId, 'resolve', 'not-bought', '--reason', 'The portal of the supplier shows none');
    }
    return this.deliver(orderId);
  }

  /** Delivers by hand what the operator got elsewhere. */
  private async deliver(orderId: number): Promise<string> {
    const order = await this.show(orderId);
    const words = ['delivered', '--reason', 'Bought elsewhere'];
    if (order.family === 'TOPUP') return this.tell(orderId, 'resolve', ...words);
    const file = join(tmpdir(), `goods-${randomUUID()}.json`);
    writeFileSync(file, JSON.stringify(goodsFor(order)), { mode: 0o600 });
    try {
      return await this.tell(orderId, 'resolve', ...words, '--goods', file);
    } finally {
      rmSync(file);
    }
  }

  /** The order as the tool shows it. */
  async show(orderId: number): Promise<OrderReport> {
    const { ok, text } = await this.run('orders', 'show', orderId);
    if (!ok) throw new Error(text);
    return JSON.parse(text) as OrderReport;
  }

  /** Begins the newest run anew from one of its earlier steps. */
  private async reset(orderId: number | undefined, choice: number): Promise<string> {
    const [execution] = await this.executions(
      `OrderId = ${orderId ?? 0} AND WorkflowId STARTS_WITH "order-"`,
    );
    if (!execution) return 'no workflow to reset';
    const { namespace } = this.temporal.options;
    const handle = this.temporal.workflow.getHandle(execution.workflowId);
    const { events } = await handle.fetchHistory();
    const steps = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: done }) => done);
    const step = picked(steps, choice)?.eventId;
    if (step === undefined || step === null) return `${execution.workflowId}: nothing done yet`;
    await this.temporal.workflowService.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: execution.workflowId },
      reason: 'Reset by chance',
      workflowTaskFinishEventId: step,
      requestId: randomUUID(),
    });
    return `${execution.workflowId}: reset to event ${String(step)} of ${events?.length ?? 0}`;
  }

  private async terminate(query: string, choice: number): Promise<string> {
    const execution = picked(await this.executions(query), choice);
    if (!execution) return `none runs: ${query}`;
    await this.temporal.workflow.getHandle(execution.workflowId).terminate('Terminated by chance');
    return `${execution.workflowId}: terminated`;
  }

  private async delete(orderId: number | undefined): Promise<string> {
    const [execution] = await this.executions(
      `OrderId = ${orderId ?? 0} AND WorkflowId STARTS_WITH "order-"`,
    );
    if (!execution) return 'no workflow to delete';
    const { namespace } = this.temporal.options;
    const { workflowId } = execution;
    await this.temporal.workflowService.deleteWorkflowExecution({
      namespace,
      workflowExecution: { workflowId },
    });
    return `${workflowId}: deleted`;
  }

  /** Newest first. */
  private async executions(query: string): Promise<Execution[]> {
    const found: Execution[] = [];
    for await (const { workflowId, runId } of this.temporal.workflow.list({ query })) {
      found.push({ workflowId, runId });
    }
    return found;
  }
}

/** The one that `choice` (0 to 1) stands for. */
function picked<T>(list: readonly T[], choice: number): T | undefined {
  return list[Math.floor(choice * list.length)];
}

function goodsFor({ family, quantity, delivered_quantity: delivered }: OrderReport): object[] {
  if (family === 'ESIM') {
    const iccid = withCheckDigit(`8990${String(Date.now()).padStart(14, '0')}`);
    return [{ iccid, activation_code: `LPA:1$rsp.example$${randomUUID()}` }];
  }
  return Array.from({ length: quantity - delivered }, () => ({ card_number: `OPERATOR-${randomUUID()}` }));
}

/** Completes 18 digits to an ICCID (ITU-T E.118: the last digit is Luhn's). */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
