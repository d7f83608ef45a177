/**
 * How an order request of any family becomes an order: the request waits for admission, is checked and reserved, and then one
 * workflow places and fulfils the order. Before that, `createOnce` (`idempotency.ts`) has looked for an order with the same key.
 */
import type { Client as TemporalClient } from '@temporalio/client';
import { currentWork } from '../../process/current-work';
import type { Client } from '../../data/clients/clients';
import { findOrder } from '../../data/orders/order-reads';
import type { SingleOf } from '../../data/purchases/families';
import { accessErrors, ApiError, errors } from '../../domain/errors';
import { families, type Family } from '../../domain/orders/families';
import type { OrderKey, OrderStart } from '../../domain/orders/order-messages';
import { isPlaced, type DecidedProgress, type NoOrder } from '../../domain/orders/request-progress';
import type { Permit } from '../../async/concurrency-limiter';
import { orderStartOptions, type WorkflowMetadata } from '../order-workflow';
import { Admission, type AdmissionLimits } from './admission';
import {
  checkOrder,
  reserveOrder,
  type CheckDependencies,
  type CheckedOrder,
  type OrderDraft,
  type OrderRequest,
  type ReserveDependencies,
} from './check-and-reserve';
import { duplicateOf, rejectDuplicate } from './idempotency';
import type { OrderWorkers } from './order-workers';
import type { TemporalStorage } from './temporal-storage';
import { deadlinesOf, fence, type Deadline, type OrderDeadlines, type WaitingRequests } from './wait-for-response';

export interface OrderCreationDependencies extends CheckDependencies, ReserveDependencies {
  temporal: TemporalClient;
  limits: AdmissionLimits;
  workers: OrderWorkers;
  storage: TemporalStorage;
  waiting: WaitingRequests;
  /** Aborted when the process stops: requests whose order is placed are then answered with the order as it is. */
  stopping: AbortSignal;
  /** Aborted a moment after `stopping`: requests whose order is not placed are then answered with 503. */
  closing: AbortSignal;
}

export class OrderCreation {
  private readonly admission: Admission;

  constructor(private readonly deps: OrderCreationDependencies) {
    this.admission = new Admission(deps.limits, deps.closing, deps.workers, deps.storage);
  }

  /** Throws 503 if the admission queue would reject a request of this client now. */
  checkCapacity(clientId: number, family: Family): void {
    this.admission.check(clientId, family);
  }

  /**
   * Creates an order and returns its key once the response can show it. `arrivedAt`: a reading of `performance.now()`.
   * Throws the contract's 400s and 404s, 409 if the price is above the client's limit or another request holds the key, 503 if there is
   * and will be no order, and 504 if that is unknown.
   */
  async createOrder(client: Client, request: OrderRequest, arrivedAt: number): Promise<OrderKey> {
    const { family } = request.offer;
    const deadlines = deadlinesOf(family, arrivedAt);
    return this.admission.run(client.id, family, deadlines.placement, async (permit) => {
      const checked = await this.check(client, request, permit);
      const order = await reserveOrder(this.deps, client, request, checked, deadlines);
      const start = startOf(order, request, checked, arrivedAt);
      const metadata = metadataOf(client, request, checked);
      const progress = await this.placeAndWait(start, metadata, deadlines, permit);
      if (isPlaced(progress)) return order;
      throw await this.rejectionOf(progress, client, request);
    });
  }

  /**
   * The API has checked the reference, but an equal request may have used it while this one waited, and have caused the rejection: then
   * rejects the reference. If the checks pass, the placement decides about the reference.
   */
  private async check(client: Client, request: OrderRequest, { hasWaited }: Permit): Promise<CheckedOrder> {
    try {
      return await checkOrder(this.deps, client, request);
    } catch (error) {
      if (hasWaited && error instanceof ApiError)
        await rejectDuplicate(this.deps.database, client, request.clientReference);
      throw error;
    }
  }

  /** Reads and renders an order that was just created. The order exists, so a failure must not look like a rejection: throws 504. */
  async show<F extends Family, View>(
    family: F,
    clientId: number,
    id: number,
    view: (order: SingleOf[F]) => View | Promise<View>,
  ): Promise<View> {
    try {
      const order = await findOrder(this.deps.database, family, clientId, id);
      if (!order) throw new Error('The placed order does not exist');
      return await view(order);
    } catch (error) {
      this.deps.log.error({ err: error, orderId: id }, 'a created order could not be read');
      throw errors.outcomeUnknown();
    }
  }

  /**
   * Starts the workflow and waits until the response can be sent. Releases the permit once the order waits for its supplier. When
   * time has ended, the fence decides about an undecided reservation, and a placed order is shown as it is.
   */
  private async placeAndWait(
    order: OrderStart,
    metadata: WorkflowMetadata,
    { placement, response }: OrderDeadlines,
    permit: Permit,
  ): Promise<DecidedProgress> {
    const { waiting, workers, stopping, closing } = this.deps;
    const request = waiting.enter(order, (progress) => {
      if (progress !== 'ABANDONED') workers.recordAnswer();
      if (progress === 'HANDED_OVER') permit.release();
    });
    try {
      const unstarted = new AbortController();
      void this.start(order, metadata, placement).catch(() => unstarted.abort());
      const decision =
        (await request.untilDecided(placement, closing, unstarted.signal)) ?? (await fence(this.deps, order));
      if (isPlaced(decision) && !order.asynchronous) await request.untilAnswered(response, stopping);
      return decision;
    } finally {
      waiting.leave(request);
    }
  }

  private async start(order: OrderStart, metadata: WorkflowMetadata, deadline: Deadline): Promise<void> {
    const { temporal, storage, log } = this.deps;
    try {
      await temporal.withDeadline(Date.now() + deadline.leftMs, () =>
        temporal.workflow.start<(start: OrderStart) => Promise<unknown>>(families[order.family].workflow, {
          ...orderStartOptions(order, metadata),
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      );
    } catch (error) {
      storage.recordFailedStart();
      log.warn({ err: error, orderId: order.orderId }, 'the workflow of an order was not started');
      throw error;
    }
  }

  private async rejectionOf(reason: NoOrder, client: Client, draft: OrderDraft): Promise<ApiError> {
    switch (reason) {
      case 'ABANDONED':
        return this.rejectionOfAbandoned(client, draft);
      case 'INSUFFICIENT_BALANCE':
        return errors.insufficientBalance();
      case 'VOUCHER_NOT_REDEEMABLE':
        return errors.voucherNotRedeemable();
      case 'ESIM_NOT_RECHARGEABLE':
        return errors.esimNotRechargeable();
      case 'CLIENT_LIMIT_EXCEEDED':
        return errors.clientLimitExceeded();
      case 'NOT_ON_SALE':
        return draft.notOnSale();
      case 'API_KEY_REVOKED':
      case 'CLIENT_SUSPENDED':
      case 'SESSION_ENDED':
        return accessErrors[reason]();
      case 'DUPLICATE_CLIENT_REFERENCE': {
        const duplicate = await duplicateOf(this.deps.database, client, draft.clientReference);
        return duplicate ?? errors.duplicateReference('');
      }
    }
  }

  /** Checks an abandoned request once more, because the reason for a rejection helps the client more than a 503. */
  private async rejectionOfAbandoned(client: Client, draft: OrderDraft): Promise<ApiError> {
    try {
      if (!this.deps.closing.aborted) {
        await rejectDuplicate(this.deps.database, client, draft.clientReference);
        await checkOrder(this.deps, client, draft);
      }
    } catch (error) {
      if (error instanceof ApiError) return error;
      this.deps.log.warn({ err: error }, 'an abandoned order request could not be checked again');
    }
    return errors.serviceUnavailable();
  }
}

function startOf(
  order: OrderKey,
  { offer: { family, productName }, quantity: units, asynchronous }: OrderRequest,
  { quote: { wallet, pricing } }: CheckedOrder,
  arrivedAt: number,
): OrderStart {
  const { requestId } = currentWork();
  return {
    ...order,
    family,
    asynchronous,
    units,
    productName,
    walletId: wallet.id,
    price: pricing.price.toFixed(wallet.minorUnit),
    currency: wallet.currencyCode,
    waitedMs: Math.round(performance.now() - arrivedAt),
    ...(requestId !== undefined && { requestId }),
  };
}

function metadataOf(client: Client, { offer }: OrderDraft, { sources }: CheckedOrder): WorkflowMetadata {
  return { clientId: client.id, productId: offer.productId, suppliers: sources.map(({ supplier }) => supplier) };
}
