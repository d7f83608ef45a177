/**
 * How an order request of any family becomes an order: the request waits for admission, is checked and reserved, and then one
 * workflow places and fulfils the order. Before that, `createOnce` (`idempotency.ts`) has looked for an order with the same key.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { currentWork } from '../../current-work';
import type { Client } from '../../data/clients/clients';
import { findOrder } from '../../data/orders/order-reads';
import type { SingleOf } from '../../data/purchases/families';
import { accessErrors, ApiError, errors } from '../../domain/errors';
import { families, type Family } from '../../domain/orders/families';
import { orderMessages, type Answer, type OrderStart } from '../../domain/orders/order-messages';
import type { Permit } from '../../async/concurrency-limiter';
import { orderStartOptions, type WorkflowMetadata } from '../order-workflow';
import { Admission, type AdmissionLimits } from './admission';
import { deadlinesOf, type OrderDeadlines } from './deadlines';
import { duplicateOf, rejectDuplicate } from './idempotency';
import type { NotifiedAnswers } from './notified-answers';
import { pollProgress, waitForAnswer, type AnswerDependencies } from './order-answer';
import {
  checkOrder,
  type CheckDependencies,
  type CheckedOrder,
  type OrderDraft,
  type OrderRequest,
} from './order-checks';
import { reserveOrder } from './order-reservation';
import type { OrderWorkers } from './order-workers';
import type { TemporalStorage } from './temporal-storage';

export interface OrderCreationDependencies extends CheckDependencies, AnswerDependencies {
  temporal: TemporalClient;
  limits: AdmissionLimits;
  workers: OrderWorkers;
  storage: TemporalStorage;
  answers: NotifiedAnswers;
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
   * Creates an order and returns its id once the response can show it. `arrivedAt`: a reading of `performance.now()`.
   * Throws the contract's 400s and 404s, 409 if another request holds the key, 503 if there is and will be no order, and 504 if
   * that is unknown.
   */
  async createOrder(client: Client, request: OrderRequest, arrivedAt: number): Promise<number> {
    const { family } = request.offer;
    const deadlines = deadlinesOf(family, arrivedAt);
    return this.admission.run(client.id, family, deadlines.placement, async (permit) => {
      // The API has checked the reference, but another request may have used it while this one waited.
      if (permit.hasWaited) await rejectDuplicate(this.deps.database, client, request.clientReference);
      const checked = await checkOrder(this.deps, client, request);
      const order = await reserveOrder(this.deps, client, request, checked, deadlines);
      const { requestId } = currentWork();
      const { asynchronous } = request;
      const start = { ...order, family, asynchronous, ...(requestId !== undefined && { requestId }) };
      const metadata = metadataOf(client, request, checked);
      const answer = await this.placeAndWait(start, metadata, deadlines, permit);
      if (answer.outcome === 'PLACED') return order.orderId;
      throw await this.rejectionOf(answer, client, request);
    });
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

  /** Starts the workflow and waits for its answer. Releases the permit early once the order waits for its supplier. */
  private async placeAndWait(
    order: OrderStart,
    metadata: WorkflowMetadata,
    deadlines: OrderDeadlines,
    permit: Permit,
  ): Promise<Answer> {
    const answered = new AbortController();
    const decided = new Promise<void>((resolve) => {
      void pollProgress(this.deps, order, answered.signal, (progress) => {
        if (progress !== 'RESERVED') resolve();
        if (progress === 'HANDED_OVER') permit.release();
      });
    });
    const limitMs = Math.max(deadlines.placement.leftMs, deadlines.response.leftMs);
    const notifiedAnswer = this.deps.answers.of(order, answered.signal);
    const workflowAnswer = this.startAndAsk(order, metadata, limitMs, answered.signal);
    const answer = Promise.race([notifiedAnswer, workflowAnswer]).then((arrived) => {
      this.deps.workers.recordAnswer();
      return arrived;
    });
    try {
      return await waitForAnswer(this.deps, order, deadlines, answer, decided);
    } finally {
      answered.abort();
    }
  }

  /** Starts the workflow. Asks it for the answer unless `ended` aborts within `notificationWaitMs`. */
  private async startAndAsk(
    start: OrderStart,
    metadata: WorkflowMetadata,
    limitMs: number,
    ended: AbortSignal,
  ): Promise<Answer> {
    const { temporal, storage, answers } = this.deps;
    const deadline = Date.now() + limitMs;
    const workflow = await temporal
      .withDeadline(deadline, () =>
        temporal.workflow.start<(start: OrderStart) => Promise<unknown>>(families[start.family].workflow, {
          ...orderStartOptions(start, metadata),
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      )
      .catch((error: unknown) => {
        storage.recordFailedStart();
        throw error;
      });
    await sleep(answers.notificationWaitMs, undefined, { ref: false });
    // The request has its answer, or its time is over, so this promise need not settle.
    if (ended.aborted) return new Promise(() => undefined);
    return temporal.withDeadline(deadline, () =>
      workflow.executeUpdate<Answer, []>(orderMessages.answer, { updateId: orderMessages.answer }),
    );
  }

  private async rejectionOf(answer: Answer, client: Client, draft: OrderDraft): Promise<ApiError> {
    if (answer.outcome !== 'REFUSED') return this.rejectionOfAbandoned(client, draft);
    switch (answer.refusal) {
      case 'INSUFFICIENT_BALANCE':
        return errors.insufficientBalance();
      case 'VOUCHER_NOT_REDEEMABLE':
        return errors.voucherNotRedeemable();
      case 'CLIENT_LIMIT_EXCEEDED':
        return errors.clientLimitExceeded();
      case 'API_KEY_REVOKED':
      case 'CLIENT_SUSPENDED':
      case 'SESSION_ENDED':
        return accessErrors[answer.refusal]();
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

function metadataOf(
  client: Client,
  { offer, quantity }: OrderDraft,
  { quote: { pricing }, sources }: CheckedOrder,
): WorkflowMetadata {
  const { productId, productName } = offer;
  return {
    clientId: client.id,
    quantity,
    productId,
    productName,
    suppliers: sources.map(({ supplier }) => supplier),
    price: pricing.price.toFixed(),
    currency: pricing.walletCurrency,
  };
}
