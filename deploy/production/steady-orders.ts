/** Clients that order all the time, and what they see: each interruption, and the fate of each order. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../../dev/stack/api-client';
import { callControl } from '../../dev/stack/controls';
import { query } from '../../dev/stack/postgres';
import type { DemoClient, Scenario } from '../../dev/stack/stack-file';

/** The seconds that the supplier takes in each ordered scenario. */
const suppliersTake: Readonly<Record<string, number>> = {
  voucher_instant: 0,
  voucher_slow: 20,
  topup_instant: 0,
  topup_pending: 5,
  esim_instant: 0,
  esim_timeout_fulfilled: 15,
};
/** The longest time that an order may take in addition. */
const SLACK_S = 15;
/** The longest time for which order requests may fail, and that while the only API is replaced. */
const MAX_INTERRUPTION_S = 2;
const MAX_REPLACEMENT_S = 10;
/** Between two requests of a client. */
const PAUSE_MS = 800;
/** A client that was refused tries again soon, so that the end of an interruption is measured. */
const RETRY_MS = 50;

/** A time in which a client's order requests failed. `isAway`: the API did not answer, as while it is replaced. */
export interface Interruption {
  family: string;
  seconds: number;
  isAway: boolean;
  during: string;
  answers: string[];
}

/** As the names of its scenarios begin. */
type Family = 'voucher' | 'topup' | 'esim';

export class SteadyOrders {
  readonly interruptions: Interruption[] = [];
  /** What happens at the moment, for the reports of interruptions. */
  during = 'the first start';
  private readonly references = new Map<string, Scenario>();
  private isOver = false;
  private clients: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly apiUrl: string,
    private readonly credentials: DemoClient,
    private readonly scenarios: readonly Scenario[],
  ) {}

  get count(): number {
    return this.references.size;
  }

  /** A sentence for each interruption that was too long. */
  get longInterruptions(): string[] {
    return this.interruptions.filter(isTooLong).map(sentenceAbout);
  }

  /** One client for each family orders its scenarios in turn. */
  begin(families: readonly Family[] = ['voucher', 'topup', 'esim']): void {
    this.clients = Promise.all(families.map((family) => this.order(family)));
  }

  /** Returns after the answers to the last requests. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.clients;
  }

  private async order(family: Family): Promise<void> {
    const own = this.scenarios.filter(({ name }) => name.startsWith(family) && name in suppliersTake);
    const api = new ApiClient(this.apiUrl, this.credentials);
    for (let turn = 0; !this.isOver; turn++) {
      const scenario = own[turn % own.length] as Scenario;
      const reference = randomUUID();
      this.references.set(reference, scenario);
      await this.place(family, api, scenario, reference);
      await sleep(PAUSE_MS);
    }
  }

  /** Repeats the request until the order is there. */
  private async place(family: string, api: ApiClient, scenario: Scenario, reference: string): Promise<void> {
    const began = performance.now();
    const answers: string[] = [];
    const during = this.during;
    for (;;) {
      const sentAt = performance.now();
      const answer = await answerTo(api, scenario, reference);
      if (answer === undefined && answers.length === 0) return;
      if (answer === undefined || this.isOver) {
        const isAway = answers.some((each) => !/^\d/.test(each));
        const seconds = (sentAt - began) / 1_000;
        this.interruptions.push({ family, seconds, isAway, during, answers: [...new Set(answers)] });
        return;
      }
      answers.push(answer);
      await sleep(RETRY_MS);
    }
  }

  /**
   * What is wrong with the orders once no client orders any more: lost, late or bought twice. Waits until all have ended. `outageS`: the
   * seconds for which they could not go on.
   */
  async faults(databaseUrl: string, simulatorUrl: string, outageS = 0): Promise<string[]> {
    const orders = await this.endedOrders(databaseUrl);
    const found = new Set(orders.map(({ reference }) => reference));
    const lost = [...this.references.keys()].filter((reference) => !found.has(reference));
    const faults = lost.map((reference) => `The order ${reference} does not exist`);
    for (const { id, reference, status, seconds } of orders) {
      const { name, final_status: end } = this.references.get(reference) as Scenario;
      if (status !== end) faults.push(`Order ${id} (${name}) is ${status} instead of ${end}`);
      const most = (suppliersTake[name] ?? 0) + SLACK_S + outageS;
      if (seconds > most) faults.push(`Order ${id} (${name}) took ${seconds.toFixed(1)} s, more than ${most}`);
      const bought = await callControl<{ units: number }[]>(simulatorUrl, 'GET', `purchases?reference=order-${id}`);
      const units = bought.reduce((sum, purchase) => sum + purchase.units, 0);
      if (units !== 1) faults.push(`${units} units were bought for order ${id} (${name})`);
    }
    return faults;
  }

  private async endedOrders(databaseUrl: string): Promise<Ordered[]> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const orders = await query<Ordered>(databaseUrl, ordersStatement, [[...this.references.keys()]]);
      if (orders.every(({ seconds }) => seconds !== null) || performance.now() > deadline)
        return orders.map((order) => ({ ...order, seconds: order.seconds ?? Infinity }));
      await sleep(1_000);
    }
  }
}

const isTooLong = ({ seconds, isAway }: Interruption) => seconds > (isAway ? MAX_REPLACEMENT_S : MAX_INTERRUPTION_S);

export const sentenceAbout = ({ family, seconds, answers, during }: Interruption) =>
  `Order requests (${family}) failed for ${seconds.toFixed(1)} s with ${answers.join(', ')} during: ${during}`;

interface Ordered {
  id: string;
  reference: string;
  status: string;
  /** Until its end. */
  seconds: number;
}

const ordersStatement = `
SELECT id, client_reference AS reference, status,
       extract(epoch FROM completed_at - placed_at)::float8 AS seconds
  FROM orders WHERE client_reference = ANY($1)`;

/** Undefined if the order is there, also because of an earlier request whose answer was lost; else what the client sees. */
async function answerTo(api: ApiClient, { path, body }: Scenario, reference: string): Promise<string | undefined> {
  try {
    const answer = await api.call<{ error?: { code: string } }>('POST', path, { ...body, client_reference: reference });
    const code = answer.body.error?.code;
    if (answer.status === 200 || code === 'DUPLICATE_CLIENT_REFERENCE') return undefined;
    return `${answer.status} ${code}`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
}
