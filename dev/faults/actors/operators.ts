/** The operators of the service: the ops CLI, and their actions on workflows in the Temporal UI. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { OperatorAct } from '../plan/disturbance';
import { share } from '../random';
import { AfterSale, picked } from './after-sale';
import { Dishonest } from './dishonest';
import { OpsProcesses, type OpsCalls, type Outcome } from './ops-processes';
import type { Bought } from './supplier';

/** A difference between a supplier's statement and our purchases. */
interface StatementDifference {
  kind: string;
  supplier: string;
  reference: string;
  orderId: number | null;
  detail: string;
}

/** An entry of the attention list about an order. */
export interface ListedOrder {
  order_id: number;
  kind: string;
  reason: string;
}

/** An entry of the attention list about a supplier. */
export interface ListedSupplier {
  supplier: string;
  kind: string;
}

/** The fields of `orders show` that an operator needs. */
export interface OrderReport {
  workflow_id: string;
  family: string;
  quantity: number;
  delivered_quantity: number;
  completed_at: string | null;
}

const RUNNING_ORDERS = `ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH "order-"`;

/** The share of open orders among an operator's choices. The others are the newest orders. */
const OPEN_SHARE = 0.7;
const RECENT = 15;

/** The number of orders that are signalled, newest first, including those without a first workflow task. */
const SIGNALLED_AT_ONCE = 10;
const SIGNAL_EVERY_MS = 100;

/** The portals of the suppliers, in which operators see real sales. */
interface Portals {
  bought(orderId: number): Promise<Bought[]>;
}

export class Operators implements OpsCalls {
  /** Orders that an operator decided, perhaps while a purchase was still on its way. */
  readonly decided = new Set<number>();
  /** The orders whose surplus sales were listed with their supplier, and accepted as credited. */
  readonly credited: ListedOrder[] = [];
  /** Orders whose unusable goods an operator gave up. */
  readonly unusable = new Set<number>();
  /** Orders that an operator asked to cancel. One with delivered units fails. */
  readonly cancelled = new Set<number>();
  readonly afterSale = new AfterSale(this);
  readonly dishonest = new Dishonest(this);

  private constructor(
    private readonly commands: OpsProcesses,
    private readonly temporal: Client,
    private readonly suppliers: Portals,
  ) {}

  static async open(environment: NodeJS.ProcessEnv, suppliers: Portals): Promise<Operators> {
    const address = environment['TEMPORAL_ADDRESS'] ?? '';
    const connection = await Connection.connect({ address });
    const namespace = environment['TEMPORAL_NAMESPACE'] ?? 'default';
    return new Operators(new OpsProcesses(environment), new Client({ connection, namespace }), suppliers);
  }

  async close(): Promise<void> {
    this.commands.close();
    await this.temporal.connection.close();
  }

  /** Runs a command of the ops CLI. */
  run(...words: (string | number)[]): Promise<Outcome> {
    return this.commands.run(words.map(String));
  }

  /** Runs a command that prints rows. Throws any other output. */
  async rows<Row>(...words: (string | number)[]): Promise<Row[]> {
    const { text } = await this.run('--json', ...words);
    if (!text.startsWith('[')) throw new Error(`${words.join(' ')}: ${text}`);
    return JSON.parse(text) as Row[];
  }

  /** The orders on the attention list. A claim about an order says nothing about the order itself. */
  async listedOrders(): Promise<ListedOrder[]> {
    const listed = await this.rows<ListedOrder & { order_id: number | null }>('attention');
    return listed.filter(({ order_id: id, kind }) => id !== null && !kind.startsWith('CLAIM'));
  }

  /** Compares the orders with the statements of suppliers. Accepts surplus sales, as after a credit. */
  async settleSales(): Promise<void> {
    await this.run('reconcile');
    for (const one of await this.rows<StatementDifference>('reconcile', 'differences')) {
      const { kind, supplier, reference, orderId, detail: reason } = one;
      if (kind !== 'sold-unaccounted' || orderId === null) continue;
      await this.run('reconcile', 'accept', supplier, reference, '--reason', 'Credited by the supplier');
      this.credited.push({ order_id: orderId, kind: 'SETTLEMENT_DIFFERENCE', reason });
    }
  }

  /** The suppliers on the attention list. */
  async listedSuppliers(): Promise<ListedSupplier[]> {
    const listed = await this.rows<{ supplier: string | null; kind: string }>('attention');
    return listed.filter((entry): entry is ListedSupplier => entry.supplier !== null);
  }

  /** Makes the service read the lists of all suppliers. */
  async readLists(): Promise<void> {
    for (const schedule of ['maintenance-plans', 'maintenance-catalogues'])
      await this.temporal.schedule.getHandle(schedule).trigger();
  }

  /** Makes the workflows retry immediately. */
  async retryNow(orderIds: readonly number[]): Promise<void> {
    for (const orderId of orderIds) {
      const [running] = await this.workflowIds(`OrderId = ${orderId} AND ExecutionStatus = 'Running'`);
      if (running === undefined) continue;
      const handle = this.temporal.workflow.getHandle(running);
      await handle.signal('retryNow').catch(() => undefined);
    }
  }

  /** Repeatedly sends the signals of service and operators to every running order. Returns the function that ends it. */
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
      const running = await this.workflowIds(RUNNING_ORDERS).catch(() => []);
      for (const workflowId of running.slice(0, SIGNALLED_AT_ONCE)) {
        const handle = this.temporal.workflow.getHandle(workflowId);
        // An ended order accepts no signal.
        await Promise.all([handle.signal('attentionChanged'), handle.signal('retryNow')]).catch(() => undefined);
      }
      await sleep(SIGNAL_EVERY_MS);
    }
  }

  /**
   * Carries out an action on one of the orders or workflows. `choice`, from 0 to 1, selects it. Returns the action and
   * its result.
   */
  async act(act: OperatorAct, choice: number, orderIds: readonly number[]): Promise<string> {
    if (act === 'refund') return this.afterSale.refund(picked(orderIds.slice(-RECENT), choice), choice);
    if (act === 'decide-claim') return this.afterSale.decideClaim(choice);
    if (act === 'approve') return this.afterSale.decideProposal(choice);
    const orderId = act === 'decide' ? undefined : await this.chooseOrder(choice, orderIds);
    switch (act) {
      case 'cancel':
        if (orderId !== undefined) this.cancelled.add(orderId);
        return this.runFor(orderId, 'cancel', '--reason', 'Random cancellation');
      case 'ask-again':
        return this.runFor(orderId, 'resolve', 'ask-again');
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
    const isOpen = share(choice, 3) < OPEN_SHARE;
    const running = isOpen ? await this.workflowIds(RUNNING_ORDERS) : [];
    const open = running.map((workflowId) => Number(workflowId.split('-')[1]));
    return picked(open.length > 0 ? open : orderIds.slice(-RECENT), choice);
  }

  private async runFor(orderId: number | undefined, command: string, ...words: string[]): Promise<string> {
    if (orderId === undefined) return 'no order yet';
    const { text } = await this.run('orders', command, orderId, ...words);
    return `order ${orderId}: ${text.trim()}`;
  }

  /**
   * Decides an order that waits for an operator, who sees the supplier's real sales in its portal. Sometimes the operator
   * is mistaken.
   */
  private async decide(choice: number): Promise<string> {
    const waiting = await this.listedOrders();
    const order = picked(waiting, choice);
    if (!order) return 'nothing to decide';
    const { order_id: orderId, kind } = order;
    if (kind === 'UNDER_REVIEW') return this.review(orderId, choice);
    const isBought = (await this.suppliers.bought(orderId)).some(({ units }) => units > 0);
    const isMistaken = share(choice, 2) < 0.2;
    if (isBought !== isMistaken) return this.runFor(orderId, 'resolve', 'ask-again');
    this.decided.add(orderId);
    if (share(choice, 1) < 0.6) {
      return this.runFor(orderId, 'resolve', 'not-bought', '--reason', 'The portal of the supplier shows none');
    }
    return this.deliver(orderId);
  }

  /** Releases or cancels a held order. */
  private async review(orderId: number, choice: number): Promise<string> {
    if (share(choice, 1) < 0.6) return this.runFor(orderId, 'release', '--reason', 'Confirmed by the client');
    this.cancelled.add(orderId);
    return this.runFor(orderId, 'cancel', '--reason', 'Ordered with a stolen key');
  }

  /** Releases every held order, which waits for nothing else. */
  async releaseHeld(say: (text: string) => void): Promise<void> {
    const held = (await this.listedOrders()).filter(({ kind }) => kind === 'UNDER_REVIEW');
    for (const { order_id: orderId } of held)
      say(await this.runFor(orderId, 'release', '--reason', 'Confirmed by the client'));
  }

  /** Ends an order that waits: releases it, gives up its unusable goods, or decides by the portals of the suppliers. Returns the result. */
  async end(orderId: number): Promise<string> {
    const released = await this.run('orders', 'release', orderId, '--reason', 'Confirmed by the client');
    if (released.ok) return `order ${orderId}: released`;
    const unusable = await this.run('orders', 'resolve', orderId, 'unusable', '--reason', 'Never usable');
    if (unusable.ok) {
      this.unusable.add(orderId);
      return `order ${orderId}: unusable`;
    }
    this.decided.add(orderId);
    const isBought = (await this.suppliers.bought(orderId)).some(({ units }) => units > 0);
    if (!isBought) {
      const none = ['not-bought', '--reason', 'The portal of the supplier shows none'];
      const { ok } = await this.run('orders', 'resolve', orderId, ...none);
      if (ok) return `order ${orderId}: not bought`;
    }
    return this.deliver(orderId);
  }

  /** Delivers goods that the operator bought elsewhere. */
  private async deliver(orderId: number): Promise<string> {
    const order = await this.show(orderId);
    const words = ['delivered', '--reason', 'Bought elsewhere'];
    if (order.family === 'TOPUP') return this.runFor(orderId, 'resolve', ...words);
    const file = join(tmpdir(), `goods-${randomUUID()}.json`);
    writeFileSync(file, JSON.stringify(goodsFor(order)), { mode: 0o600 });
    try {
      return await this.runFor(orderId, 'resolve', ...words, '--goods', file);
    } finally {
      rmSync(file);
    }
  }

  /** The order in the output of the ops CLI. */
  async show(orderId: number): Promise<OrderReport> {
    const { ok, text } = await this.run('--json', 'orders', 'show', orderId);
    if (!ok) throw new Error(text);
    return JSON.parse(text) as OrderReport;
  }

  /** Resets the newest run to one of its earlier steps. */
  private async reset(orderId: number | undefined, choice: number): Promise<string> {
    const workflowId = await this.workflowOf(orderId);
    if (workflowId === undefined) return 'no workflow to reset';
    const { namespace } = this.temporal.options;
    const handle = this.temporal.workflow.getHandle(workflowId);
    const { events } = await handle.fetchHistory();
    const steps = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: done }) => done);
    const step = picked(steps, choice)?.eventId;
    if (step === undefined || step === null) return `${workflowId}: nothing done yet`;
    await this.temporal.workflowService.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId },
      reason: 'Random reset',
      workflowTaskFinishEventId: step,
      requestId: randomUUID(),
    });
    return `${workflowId}: reset to event ${String(step)} of ${events?.length ?? 0}`;
  }

  private async terminate(query: string, choice: number): Promise<string> {
    const workflowId = picked(await this.workflowIds(query), choice);
    if (workflowId === undefined) return `none runs: ${query}`;
    await this.temporal.workflow.getHandle(workflowId).terminate('Random termination');
    return `${workflowId}: terminated`;
  }

  private async delete(orderId: number | undefined): Promise<string> {
    const workflowId = await this.workflowOf(orderId);
    if (workflowId === undefined) return 'no workflow to delete';
    const { namespace } = this.temporal.options;
    await this.temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
    return `${workflowId}: deleted`;
  }

  private async workflowOf(orderId: number | undefined): Promise<string | undefined> {
    if (orderId === undefined) return undefined;
    const [newest] = await this.workflowIds(`OrderId = ${orderId} AND WorkflowId STARTS_WITH "order-"`);
    return newest;
  }

  /** Newest first. */
  private async workflowIds(query: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { workflowId } of this.temporal.workflow.list({ query })) found.push(workflowId);
    return found;
  }
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
