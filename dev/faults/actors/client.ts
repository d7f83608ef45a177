/** A client of the service: orders, reads its orders, redeems, and receives webhooks. */
import type { Credentials } from '../../stack/api-client';
import type { Scenario } from '../../stack/stack-file';
import { collections, type Family, type PlannedOrder } from '../plan/orders';
import type { SupplierName } from '../plan/suppliers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, type ErrorBody, type OrderView } from './api';
import type { OpsCalls } from './ops-processes';
import { ClientReceiver } from './webhook-receiver';

/** A sent order request and its response. `status` is undefined without a response. */
export interface Attempt {
  /** The supplier that lists the item. */
  supplier: SupplierName;
  family: Family;
  scenario: string;
  reference: string;
  status: number | undefined;
  code: string | undefined;
  /** The order in the response. */
  orderId: number | undefined;
}

export interface Wallet {
  id: number;
  currency: string;
  funded: number;
}

/** Every type of event. Only endpoints that list top-up events get them. */
const EVENT_TYPES = [
  'order.delivered',
  'order.partially_delivered',
  'order.failed',
  'order.cancelled',
  'topup.delivered',
  'topup.failed',
  'topup.cancelled',
  'esim.delivered',
  'esim.failed',
  'esim.cancelled',
  'esim.installed',
  'esim.activated',
  'esim.depleted',
  'order.refunded',
  'topup.refunded',
  'esim.refunded',
  'claim.updated',
  'wallet.credited',
  'wallet.debited',
];

const FUNDS = 1_000_000;
/** The product whose codes pay for orders, and the value of one code of the scenario. */
const HOUSE_CARD = 'Digital Goods House Card';
const HOUSE_CARD_WORTH = 25;
/** The scenarios of the requests for recharges begin with this. */
export const RECHARGE = 'recharge';
/** How long a client waits before it repeats an unanswered order request. */
const REPEAT_AFTER_MS = 3_000;

export class ApiUser {
  readonly attempts: Attempt[] = [];
  /** Known orders, in the order of their discovery. */
  readonly orderIds = new Set<number>();
  /** Addresses of notification mails that the service has accepted, by order. */
  readonly mailTo = new Map<number, string>();
  /** The goods of orders before it claimed a unit of them. */
  readonly claimed = new Map<number, string[]>();
  /** The orders whose addresses it has erased. */
  readonly erased = new Set<number>();
  /** The value of the voucher that pays for the order request with this reference. */
  readonly redemptions = new Map<string, number>();
  /** Delivered codes that can pay for an order, and all codes so far. */
  private readonly redeemable: string[] = [];
  private readonly seenCodes = new Set<string>();

  private constructor(
    readonly name: string,
    readonly api: Api,
    readonly wallet: Wallet,
    readonly receiver: ClientReceiver,
    readonly scenarios: readonly Scenario[],
  ) {}

  /**
   * Opens an account with a funded wallet of the currency through the operators, and registers for webhooks. `orders`: how many
   * order requests of each family it may send in a minute. `isLimited`: the account has the default rate limits.
   */
  static async open(
    name: string,
    currency: string,
    operators: OpsCalls,
    stack: { api_url: string; scenarios: readonly Scenario[] },
    { isLimited = false, orders = 1_000_000 } = {},
  ): Promise<ApiUser> {
    const contact = ['--contact', `${name}@client.example`, '--bulk-limit', '5000'];
    const rates = {
      login: 1_000_000,
      reads: 1_000_000,
      changes: 1_000_000,
      voucher_orders: orders,
      topup_orders: orders,
      esim_orders: orders,
    };
    const limits = isLimited
      ? []
      : Object.entries(rates).flatMap(([rate, limit]) => ['--rate-limit', `${rate}=${limit}`]);
    await operators.rows('clients', 'create', name, ...contact, ...limits);
    const [credentials] = await operators.rows<Credentials>('keys', 'create', name);
    const [wallet] = await operators.rows<{ id: number }>('wallets', 'open', name, currency);
    if (!credentials || !wallet) throw new Error('The account could not be opened');
    await operators.rows('wallets', 'fund', wallet.id, FUNDS, '--reference', `${name}-funds`);
    const api = new Api(stack.api_url, credentials);
    const receiver = await new ClientReceiver().listen();
    const endpoint = { url: receiver.url, event_types: EVENT_TYPES, description: name };
    const { body } = await api.call<{ secret: string }>('POST', '/api/v1/webhooks/endpoints', endpoint);
    receiver.secret = body.secret;
    return new ApiUser(name, api, { id: wallet.id, currency, funded: FUNDS }, receiver, stack.scenarios);
  }

  /**
   * Places an order, attaches the mail address and reads it again when the plan says so. Once `letGo` is aborted, it reads at once.
   */
  async order(planned: PlannedOrder, letGo?: AbortSignal): Promise<void> {
    const body = this.bodyOf(planned);
    let attempt = await this.create(planned, body);
    if (attempt.status === undefined && planned.repeats) {
      await sleep(REPEAT_AFTER_MS);
      attempt = await this.create(planned, body);
    }
    const { orderId } = attempt;
    if (orderId === undefined) return;
    const path = `${collections[planned.family]}/${orderId}`;
    if (planned.email !== null && planned.family !== 'VOUCHER') {
      await this.attachMail(path, orderId, planned.email);
    }
    await Promise.all(planned.reads.map((after) => this.lookAt(path, after, letGo)));
  }

  /** Recharges the eSIM of its order, with two requests at once under one reference. Returns the answers. */
  async recharge(first: number, product: number, amount: number): Promise<string> {
    const reference = `${this.name}-recharge-${this.attempts.length}`;
    const body = { product_id: product, amount, wallet_id: this.wallet.id, recharge_order_id: first };
    const about = {
      supplier: this.supplierOf(first),
      family: 'ESIM',
      scenario: `${RECHARGE} ${product}/${amount}`,
      reference,
    } as const;
    const send = () => this.create({ ...about, email: null }, { ...body, client_reference: reference });
    const answers = await Promise.all([send(), send()]);
    return answers.map(({ status, orderId }) => `${status} ${orderId ?? ''}`.trim()).join(', ');
  }

  /** The supplier of the item that the order request named. */
  private supplierOf(orderId: number): SupplierName {
    return this.attempts.find((attempt) => attempt.orderId === orderId)?.supplier ?? 'simulator';
  }

  private async create(
    about: Pick<PlannedOrder, 'supplier' | 'family' | 'scenario' | 'reference' | 'email'>,
    body: object,
  ): Promise<Attempt> {
    const { email, ...named } = about;
    const { family } = named;
    const attempt: Attempt = { ...named, status: undefined, code: undefined, orderId: undefined };
    this.attempts.push(attempt);
    try {
      const answer = await this.api.call<OrderView & ErrorBody>('POST', collections[family], body);
      attempt.status = answer.status;
      attempt.code = answer.body.error?.code;
      if (answer.status === 200) {
        attempt.orderId = answer.body.id;
        this.orderIds.add(answer.body.id);
        if (email !== null && family === 'VOUCHER') this.mailTo.set(answer.body.id, email);
      }
    } catch {
      // No response, or an incomplete one.
    }
    return attempt;
  }

  private bodyOf({ family, scenario: name, changes, reference, email, redeems }: PlannedOrder): object {
    const scenario = this.scenarios.find((candidate) => candidate.name === name);
    if (!scenario) throw new Error(`There is no scenario ${name}`);
    const code = redeems ? this.redeemable.pop() : undefined;
    if (code !== undefined) this.redemptions.set(reference, HOUSE_CARD_WORTH);
    return {
      ...scenario.body,
      ...changes,
      wallet_id: this.wallet.id,
      client_reference: reference,
      ...(email !== null && family === 'VOUCHER' && { email }),
      ...(code !== undefined && { redeem_voucher_code: code }),
    };
  }

  private async attachMail(path: string, orderId: number, email: string): Promise<void> {
    const answer = await this.api.call('PATCH', `${path}/notification-email`, { email }).catch(() => undefined);
    if (answer?.status === 200) this.mailTo.set(orderId, email);
  }

  private async lookAt(path: string, after: number, letGo?: AbortSignal): Promise<void> {
    await sleep(after, undefined, { ...(letGo && { signal: letGo }) }).catch(() => undefined);
    const answer = await this.api.call<OrderView>('GET', path).catch(() => undefined);
    if (answer?.status !== 200) return;
    const { status, product_name: product, vouchers: [voucher] = [] } = answer.body;
    const code = status === 'DELIVERED' && product === HOUSE_CARD ? voucher?.card_number : null;
    if (!code || this.seenCodes.has(code)) return;
    this.seenCodes.add(code);
    this.redeemable.push(code);
  }
}
