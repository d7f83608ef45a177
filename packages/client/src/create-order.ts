/**
 * A create that may be repeated until its outcome is known, and makes one order at most: each attempt carries the same
 * `Idempotency-Key` and the same `client_reference`. docs/specification.md#creating-an-order.
 */
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  DigitalGoodsError,
  DuplicateClientReferenceError,
  isTransient,
  OutcomeUnknownError,
} from './errors.ts';
import { backoffMs, pause, waitAfter } from './retries.ts';
import type { CallOptions } from './transport.ts';

export interface CreateOptions extends CallOptions {
  /**
   * Names the create: with it, what was interrupted can be repeated by another process too. Made up where it is not
   * given. The service keeps it for 7 days.
   */
  idempotencyKey?: string;
}

/** What a create is made of. */
export interface OrderRequest {
  client_reference?: string | null;
}

/** What the three families have in common for a create. */
export interface OrderDesk<Request extends OrderRequest, Order> {
  /** One attempt, repeated by nobody else. */
  post(request: Request, idempotencyKey: string, options: CallOptions): Promise<Order>;
  findByReference(clientReference: string, options: CallOptions): Promise<Order | undefined>;
  /** Whether the order can be what the request has made, by what both show. */
  matches(order: Order, request: Request): boolean;
  maxRetries: number;
}

/** A key stays in use until the create that holds it would have been answered, also where its process died. */
const KEY_IN_USE_MS = 90_000;

/**
 * Places the order. Throws the refusal where there certainly is no order, `OutcomeUnknownError` where that could not
 * be found out.
 */
export function createOrder<Request extends OrderRequest, Order>(
  desk: OrderDesk<Request, Order>,
  request: Request,
  options: CreateOptions,
): Promise<Order> {
  return new Creation(desk, request, options).run();
}

class Creation<Request extends OrderRequest, Order> {
  private readonly idempotencyKey: string;
  private readonly clientReference: string;
  private readonly request: Request;
  private readonly options: CallOptions;
  /** An attempt may have made the order without our being told. */
  private isUncertain = false;

  constructor(
    private readonly desk: OrderDesk<Request, Order>,
    request: Request,
    { idempotencyKey = randomUUID(), ...options }: CreateOptions,
  ) {
    this.idempotencyKey = idempotencyKey;
    this.clientReference = request.client_reference ?? randomUUID();
    this.request = { ...request, client_reference: this.clientReference };
    this.options = options;
  }

  async run(): Promise<Order> {
    this.options.signal?.throwIfAborted();
    const keyDeadline = performance.now() + KEY_IN_USE_MS;
    for (let retry = 0; ;) {
      try {
        return await this.desk.post(this.request, this.idempotencyKey, this.options);
      } catch (error) {
        const wasUncertain = this.isUncertain;
        this.isUncertain ||= mayHaveMadeOrder(error);
        const isKeyInUse = keyIsInUse(error) && performance.now() < keyDeadline;
        const wait = isKeyInUse ? backoffMs(2) : waitAfter(error, retry);
        const isWorthIt = isKeyInUse || (isTransient(error) && retry < this.desk.maxRetries);
        if (!isWorthIt || wait === undefined) return this.settle(error, wasUncertain);
        if (!isKeyInUse) retry++;
        await this.wait(wait);
      }
    }
  }

  /** What came of it, where no further attempt is made. */
  private async settle(error: unknown, wasUncertain: boolean): Promise<Order> {
    if (!this.isUncertain) throw error;
    if (this.options.signal?.aborted) throw this.unknown(error);
    const isDuplicate = wasUncertain && error instanceof DuplicateClientReferenceError;
    if (isConclusive(error) && !isDuplicate) throw error;
    const order = await this.lookUp().catch(() => undefined);
    if (order && this.desk.matches(order, this.request)) return order;
    // A reference that was given may be that of something else.
    throw isDuplicate && order ? error : this.unknown(error);
  }

  private lookUp(options: CallOptions = this.options): Promise<Order | undefined> {
    return this.desk.findByReference(this.clientReference, options);
  }

  private async wait(ms: number): Promise<void> {
    try {
      await pause(ms, this.options.signal);
    } catch (error) {
      throw this.isUncertain ? this.unknown(error) : error;
    }
  }

  private unknown(cause: unknown): OutcomeUnknownError<Order> {
    const { clientReference, idempotencyKey } = this;
    return new OutcomeUnknownError(clientReference, idempotencyKey, () => this.lookUp({}), { cause });
  }
}

/** A 503 to a create means: no order exists and none will. Any other 5xx, a proxy's too, tells nothing. */
function mayHaveMadeOrder(error: unknown): boolean {
  if (error instanceof ApiError) return keyIsInUse(error) || (error.status >= 500 && error.status !== 503);
  // What is none of ours is the reason that the caller's signal was aborted with, in the middle of it.
  return error instanceof DigitalGoodsError ? error.mayHaveTakenEffect : true;
}

function keyIsInUse(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE';
}

/**
 * Whether the refusal was given after the service had looked at the key: then no earlier attempt under it has made an
 * order, and none is under way.
 */
function isConclusive(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return [400, 404, 422].includes(error.status) && error.code !== '' && !beforeTheKey.includes(error.code);
}

/** Codes of refusals that are given before the service looks at the key. */
const beforeTheKey: readonly string[] = ['INVALID_FEATURE'];
