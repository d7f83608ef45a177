/** The orders of a family. docs/specification.md#creating-an-order. */
import { filled, listAt } from './api.ts';
import { createOrder, type CreateOptions, type OrderDesk, type OrderRequest } from './create-order.ts';
import { NotFoundError } from './errors.ts';
import type { List } from './pages.ts';
import type { Call, CallOptions, Repeat, Transport } from './transport.ts';
import { waitForOrder, type WaitOptions } from './wait-for-order.ts';

/** What tells the orders of one family from those of another. */
export interface Family {
  request: OrderRequest;
  /** As its create is answered. */
  created: { id: number; status: string };
  /** As it is read by itself. */
  order: { id: number; status: string };
  /** As lists show it. */
  item: { id: number };
  query: object;
}

/** How often orders are worth asking for: seconds between questions, the last one repeats. */
export const schedules = {
  vouchers: [1, 2, 3, ...Array<number>(10).fill(5), 30],
  // A supplier of top-ups is not asked more often than every 5 s, whoever asks.
  variants: [...Array<number>(12).fill(5), 30],
} as const;

/** The states in which orders of every family have ended. PARTIALLY_DELIVERED, of vouchers alone, is none. */
const finalStatuses: readonly string[] = ['DELIVERED', 'FAILED', 'CANCELLED'];

export class Orders<F extends Family> {
  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly schedule: readonly number[],
  ) {}

  /**
   * Places an order, once, however often that has to be tried. A refusal throws; an order that fails does not: look at
   * its `status`. Throws `OutcomeUnknownError` where it could not be found out whether there is an order.
   */
  create(request: F['request'], options: CreateOptions = {}): Promise<F['created'] | F['order']> {
    return createOrder(this.desk(), request, options);
  }

  /** The order as it stands. */
  async get(id: number, options: CallOptions = {}): Promise<F['order']> {
    const call = { ...options, method: 'GET', path: filled(`${this.path}/{id}`, { id }) } as const;
    return this.send(call, 'always', this.transport.slowReadTimeoutMs);
  }

  /** Orders, newest first. */
  list(query: F['query'] = {}, options: CallOptions = {}): List<F['item']> {
    // The list of voucher orders is answered 404 where it has none.
    const isEmpty = (error: unknown) => error instanceof NotFoundError;
    return listAt<F['item']>(this.transport, this.path, query, options, isEmpty);
  }

  /** The order that has the reference; undefined where there is none in this family. */
  async findByReference(clientReference: string, options: CallOptions = {}): Promise<F['order'] | undefined> {
    const [found] = (await this.list({ client_reference: clientReference }, options).page()).items;
    return found && this.get(found.id, options);
  }

  /** Has a mail sent to the address when the order ends. Possible as long as it is PENDING. */
  async setNotificationEmail(id: number, email: string, options: CallOptions = {}): Promise<void> {
    const path = filled(`${this.path}/{id}/notification-email`, { id });
    await this.send({ ...options, method: 'PATCH', path, body: { email } }, 'always');
  }

  /** The order once it has ended, whatever its end. Throws `WaitTimeoutError` where it has not in time. */
  waitForOrder(
    order: number | { id: number; status: string },
    options: WaitOptions = {},
  ): Promise<F['order']> {
    const waiting = {
      read: (id: number, callOptions: CallOptions) => this.get(id, callOptions),
      isFinal: ({ status }: { status: string }) => finalStatuses.includes(status),
      schedule: this.schedule,
    };
    return waitForOrder(waiting, order, options);
  }

  private desk(): OrderDesk<F['request'], F['created'] | F['order']> {
    const { path, transport } = this;
    return {
      post: (body, idempotencyKey, options) => {
        const headers = { 'idempotency-key': idempotencyKey };
        return this.send(
          { ...options, method: 'POST', path, headers, body },
          'never',
          transport.createTimeoutMs,
        );
      },
      findByReference: (reference, options) => this.findByReference(reference, options),
      matches,
      maxRetries: transport.maxRetries,
    };
  }

  private async send<T>(call: Call, repeat: Repeat, timeoutMs?: number): Promise<T> {
    return (await this.transport.call(call, repeat, timeoutMs)).body as T;
  }
}

/** By what both the order and the request show. */
function matches(order: object, request: object): boolean {
  const [shown, asked] = [new Map(Object.entries(order)), new Map(Object.entries(request))];
  return ['product_id', 'denomination', 'quantity'].every(
    (name) => !shown.has(name) || !asked.has(name) || shown.get(name) === asked.get(name),
  );
}
