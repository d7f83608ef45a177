/**
 * An order request that is repeated until its outcome is known and places at most one order: each attempt carries the
 * same `Idempotency-Key` and `client_reference`. docs/specification.md#creating-an-order.
 */
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  DigitalGoodsError,
  DuplicateClientReferenceError,
  isTransient,
  OutcomeUnknownError,
  PriceChangedError,
} from './errors.ts';
import type { SandboxFault } from './models.ts';
import { backoffMs, pause, waitAfter } from './retries.ts';
import type { CallOptions } from './transport.ts';

export interface CreateOptions extends CallOptions {
  /**
   * Identifies the order request, so that another process can repeat it after an interruption. Random if not given. The
   * service keeps it for 7 days.
   */
  idempotencyKey?: string;
  /** In a sandbox: the failure of the first attempt, to rehearse it. Production ignores it. docs/clients/going-live.md. */
  sandboxFault?: SandboxFault;
}

/** The parts of one attempt besides its body. */
export interface Attempt extends CallOptions {
  idempotencyKey: string;
  sandboxFault: SandboxFault | undefined;
}

/** The body of an order request. */
export interface OrderRequest {
  client_reference?: string | null;
}

/** How a family's orders are placed and found. */
export interface OrderDesk<Request extends OrderRequest, Order> {
  /** Sends one attempt, without retries. */
  post(request: Request, attempt: Attempt): Promise<Order>;
  findByReference(clientReference: string, options: CallOptions): Promise<Order | undefined>;
  /** Whether the fields that the order and the request share are equal. */
  matches(order: Order, request: Request): boolean;
  maxRetries: number;
}

/** A key is in use until the request that holds it would have timed out, even if its process died. */
const KEY_IN_USE_MS = 90_000;

/**
 * Places the order. Throws the service's error if certainly no order exists, and `OutcomeUnknownError` if the library could not
 * find out whether one exists.
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
  private readonly sandboxFault: SandboxFault | undefined;
  private readonly options: CallOptions;
  /** Whether an attempt without a conclusive response may have placed the order. */
  private isUncertain = false;

  constructor(
    private readonly desk: OrderDesk<Request, Order>,
    request: Request,
    { idempotencyKey = randomUUID(), sandboxFault, ...options }: CreateOptions,
  ) {
    this.idempotencyKey = idempotencyKey;
    this.sandboxFault = sandboxFault;
    this.clientReference = request.client_reference ?? randomUUID();
    this.request = { ...request, client_reference: this.clientReference };
    this.options = options;
  }

  async run(): Promise<Order> {
    this.options.signal?.throwIfAborted();
    const keyDeadline = performance.now() + KEY_IN_USE_MS;
    const { idempotencyKey, sandboxFault } = this;
    const attempt = { ...this.options, idempotencyKey, sandboxFault };
    for (let retry = 0; ;) {
      try {
        return await this.desk.post(this.request, attempt);
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

  /** Returns the outcome after the last attempt: finds the order, or throws. */
  private async settle(error: unknown, wasUncertain: boolean): Promise<Order> {
    if (!this.isUncertain) throw error;
    if (this.options.signal?.aborted) throw this.unknown(error);
    const isDuplicate = wasUncertain && error instanceof DuplicateClientReferenceError;
    if (isConclusive(error) && !isDuplicate) throw error;
    const order = await this.lookUp().catch(() => undefined);
    if (order && this.desk.matches(order, this.request)) return order;
    // The caller's own reference may belong to an earlier order.
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

/** A 503 means that no order exists and none will. Any other 5xx, including one of a proxy, leaves the outcome unknown. */
function mayHaveMadeOrder(error: unknown): boolean {
  if (error instanceof ApiError) return keyIsInUse(error) || (error.status >= 500 && error.status !== 503);
  // Any other error is the reason of the caller's signal, aborted during the attempt.
  return error instanceof DigitalGoodsError ? error.mayHaveTakenEffect : true;
}

function keyIsInUse(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE';
}

/**
 * Whether the service checked the key before it returned the error. Then no earlier attempt with the key placed an order,
 * and none is in progress.
 */
function isConclusive(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error instanceof PriceChangedError) return true;
  return [400, 404, 422].includes(error.status) && error.code !== '' && !beforeTheKey.includes(error.code);
}

/**
 * Codes of errors that the service may return before it checks the key. VALIDATION_FAILURE: the operator of a top-up may require
 * another input since the last attempt.
 */
const beforeTheKey: readonly string[] = ['INVALID_FEATURE', 'VALIDATION_FAILURE'];
