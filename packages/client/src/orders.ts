/** The orders of a family. docs/specification.md#creating-an-order. */
import { filled, listAt } from './api.ts';
import { createOrder, type CreateOptions, type OrderDesk, type OrderRequest } from './create-order.ts';
import { NotFoundError } from './errors.ts';
import type { Claim, OrderRefund } from './models.ts';
import type { List } from './pages.ts';
import type { Call, CallOptions, Repeat, Transport } from './transport.ts';
import { waitForOrder, type WaitOptions } from './wait-for-order.ts';

/** The types that differ between the product families. */
export interface Family {
  request: OrderRequest;
  /** The response to its order request. */
  created: { id: number; status: string };
  /** The response to a read of one order. */
  order: { id: number; status: string };
  /** An item of its list. */
  item: { id: number };
  query: object;
  /** What to report about the goods of an order. */
  claim: object;
}

/** Seconds between polls of an order; the last value repeats. */
export const schedules = {
  vouchers: [1, 2, 3, ...Array<number>(10).fill(5), 30],
  // The service polls a supplier at most every 5 s.
  variants: [...Array<number>(12).fill(5), 30],
} as const;

/** The final states. PARTIALLY_DELIVERED, which only voucher orders have, is not final. */
const finalStatuses: readonly string[] = ['DELIVERED', 'FAILED', 'CANCELLED'];

export class Orders<F extends Family> {
  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly schedule: readonly number[],
  ) {}

  /**
   * Places an order once, in as many attempts as necessary. Throws if the service rejects the request. Does not throw if
   * the order fails: check its `status`. Throws `OutcomeUnknownError` if it could not find out whether the order exists.
   */
  create(request: F['request'], options: CreateOptions = {}): Promise<F['created'] | F['order']> {
    return createOrder(this.desk(), request, options);
  }

  /** Reads the order in its current state. */
  async get(id: number, options: CallOptions = {}): Promise<F['order']> {
    const call = { ...options, method: 'GET', path: filled(`${this.path}/{id}`, { id }) } as const;
    return this.send(call, 'always', this.transport.slowReadTimeoutMs);
  }

  /** Lists orders, newest first. With `after_id`, an iteration yields the orders that are newer than that one, oldest first. */
  list(query: F['query'] = {}, options: CallOptions = {}): List<F['item']> {
    // The service returns 404 for an empty list of voucher orders.
    const isEmpty = (error: unknown) => error instanceof NotFoundError;
    const keyOf = ({ id }: F['item']) => id;
    return listAt<F['item']>(this.transport, this.path, query, options, { keyOf, isEmpty, hasPositions: true });
  }

  /** Finds the family's order with the reference. Undefined if none exists. */
  async findByReference(clientReference: string, options: CallOptions = {}): Promise<F['order'] | undefined> {
    const [found] = (await this.list({ client_reference: clientReference }, options).page()).items;
    return found && this.get(found.id, options);
  }

  /** Lists every credited refund of the order, newest first. The automatic refund of undelivered units has the id 0. */
  async refunds(id: number, options: CallOptions = {}): Promise<OrderRefund[]> {
    const path = filled(`${this.path}/{id}/refunds`, { id });
    return this.send({ ...options, method: 'GET', path }, 'always');
  }

  /** Reports goods of the order. Returns the open claim about the same goods if there is one, so that a repetition files nothing. */
  async claim(id: number, request: F['claim'], options: CallOptions = {}): Promise<Claim> {
    const path = filled(`${this.path}/{id}/claims`, { id });
    return this.send({ ...options, method: 'POST', path, body: request }, 'always');
  }

  /** Sets the address of the mail that reports the final state. Possible while the order is PENDING. */
  async setNotificationEmail(id: number, email: string, options: CallOptions = {}): Promise<void> {
    const path = filled(`${this.path}/{id}/notification-email`, { id });
    await this.send({ ...options, method: 'PATCH', path, body: { email } }, 'always');
  }

  /** Polls until the order is in a final state and returns it. Throws `WaitTimeoutError` after the timeout. */
  waitForOrder(order: number | { id: number; status: string }, options: WaitOptions = {}): Promise<F['order']> {
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
      post: (body, { idempotencyKey, sandboxFault, ...options }) => {
        const headers = {
          'idempotency-key': idempotencyKey,
          ...(sandboxFault !== undefined && { 'sandbox-fault': sandboxFault }),
        };
        return this.send({ ...options, method: 'POST', path, headers, body }, 'never', transport.createTimeoutMs);
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

/** Whether the fields that the order and the request share are equal. */
function matches(order: object, request: object): boolean {
  const [shown, asked] = [new Map(Object.entries(order)), new Map(Object.entries(request))];
  return ['product_id', 'denomination', 'quantity'].every(
    (name) => !shown.has(name) || !asked.has(name) || shown.get(name) === asked.get(name),
  );
}
