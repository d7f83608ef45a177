/**
 * Where every create goes, whatever the family: taken in, checked (reference, supplier, price, and what
 * pays), reserved as an intake, and placed and fulfilled by one durable workflow.
 */
import { randomBytes } from 'node:crypto';
import { WithStartWorkflowOperation, type Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import { currentWork } from '../../current-work';
import type { Offer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { isKeyHeld } from '../../data/orders/idempotency-keys';
import { reserveIntake, type IntakeDetails } from '../../data/orders/order-reservations';
import type { SingleOf } from '../../data/purchases/families';
import { findByReference, findOrder } from '../../data/orders/order-reads';
import { findRedeemable } from '../../data/purchases/redemption';
import { quoteOrder, type Quote } from './quotes';
import { accessErrors } from '../../domain/clients/access';
import { ApiError, errors } from '../../domain/errors';
import { orderMessages, type Answer, type OrderKey, type OrderStart } from '../../domain/orders/order-flow';
import { families, type Family } from '../../domain/orders/families';
import { orderPath } from '../../domain/orders/orders';
import { comparableEmail } from '../../domain/orders/recipients';
import { phoneOf, type TopupInput } from '../../domain/orders/topup-input';
import { orderField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import type { SessionOwner } from '../../security/tokens';
import type { Supplier, SupplierTraits } from '../../suppliers/port';
import { Admission, type AdmissionLimits } from './admission';
import type { Permit } from '../../async/concurrency-limiter';
import type { KeyToHold } from './idempotency';
import { answerOf, pollProgress, deadlinesOf, type OrderDeadlines } from './order-answer';
import type { CompletionNotifier } from './completion-notifier';
import type { OrderWorkers } from './order-workers';
import { orderStartOptions, type WorkflowMetadata } from '../order-workflow';
import { rejectDuplicate } from './references';
import type { TemporalStorage } from './temporal-storage';

/** What a client orders, already validated against the catalogue. */
export interface OrderDraft {
  offer: Offer;
  quantity: number;
  /** Nobody waits for the goods: the create answers as soon as the order is placed. */
  asynchronous: boolean;
  walletId: number | undefined;
  clientReference: string | undefined;
  email?: string | undefined;
  /** The code of a voucher that pays instead of the wallet. */
  redeemVoucherCode?: string | undefined;
  input?: TopupInput;
  /** What the family's detail row holds beside that. */
  details?: Pick<IntakeDetails, 'variant_id' | 'variant_name' | 'data_amount_gb' | 'validity_days'>;
}

/** A draft and the request that it came with. */
export interface OrderRequest extends OrderDraft {
  /** The `Idempotency-Key`, if the client sent one. */
  key: KeyToHold | undefined;
  /** The session, which may have ended when the order is placed. */
  caller: SessionOwner;
}

/** The voucher that pays, where one does. */
type Funding = Pick<IntakeDetails, 'redeems_order_id' | 'redeems_unit'>;

/** A draft that nothing speaks against as far as can be told before it is placed. */
interface CheckedDraft {
  quote: Quote;
  funding: Funding;
  supplierTraits: SupplierTraits;
}

export interface OrderCreationDependencies {
  database: Database;
  sealer: Sealer;
  temporal: TemporalClient;
  /** Suppliers by name. */
  suppliers: ReadonlyMap<string, Supplier>;
  log: Logger;
  limits: AdmissionLimits;
  workers: OrderWorkers;
  storage: TemporalStorage;
  completions: CompletionNotifier;
  /**
   * Aborted when the process stops: then nobody waits for goods any more, and placed orders are answered as they
   * stand.
   */
  stopping: AbortSignal;
  /** Aborted a moment later: then what is not placed is answered with 503, and no create is taken in any more. */
  closing: AbortSignal;
}

export class OrderCreation {
  private readonly admission: Admission;

  constructor(private readonly deps: OrderCreationDependencies) {
    this.admission = new Admission(deps.limits, deps.closing, deps.workers, deps.storage);
  }

  /** Throws 503 if a create of this client, arriving now, could not be taken in. */
  checkCapacity(clientId: number, family: Family): void {
    this.admission.check(clientId, family);
  }

  /**
   * Creates an order and returns its id once there is something to show. `arrivedAt`, a reading of
   * `performance.now()`, is when its request came. Throws the contract's 400s and 404s, 409 where another create holds its key, 503 where
   * certainly no order exists or will, 504 if that cannot be found out.
   */
  async createOrder(client: Client, draft: OrderRequest, arrivedAt: number): Promise<number> {
    const { family } = draft.offer;
    const limits = deadlinesOf(family, arrivedAt);
    return this.admission.run(client.id, family, limits.placement, async (permit) => {
      // The request was checked for it before it came here: only who had to wait may have been overtaken.
      if (permit.hasWaited) await rejectDuplicate(this.deps.database, client, draft.clientReference);
      const checked = await this.check(client, draft);
      const order = await this.reserve(client, draft, checked, limits);
      const { asynchronous } = draft;
      const { requestId } = currentWork();
      const start = {
        ...order,
        family: draft.offer.family,
        asynchronous,
        ...(requestId !== undefined && { requestId }),
      };
      const label = metadataOf(client, draft, checked.quote);
      const answer = await this.placeAndAnswer(start, label, limits, permit);
      if (answer.outcome === 'PLACED') return order.orderId;
      throw await this.rejectionOf(answer, client, draft);
    });
  }

  /** Shows an order just created. It exists, so a failure to read it is no failure to create it: 504. */
  async show<F extends Family, View>(
    family: F,
    clientId: number,
    id: number,
    view: (order: SingleOf[F]) => View | Promise<View>,
  ): Promise<View> {
    try {
      const order = await findOrder(this.deps.database, family, clientId, id);
      if (!order) throw new Error('The order that was placed is not there');
      return await view(order);
    } catch (error) {
      this.deps.log.error({ err: error, orderId: id }, 'a created order could not be read');
      throw errors.outcomeUnknown();
    }
  }

  /** Everything that can be refused before anything is written. */
  private async check(client: Client, draft: OrderDraft): Promise<CheckedDraft> {
    const { traits } = this.supplierOf(draft);
    const quote = await quoteOrder(this.deps.database, client, draft.offer, draft);
    return { quote, funding: await this.funding(client, draft, quote), supplierTraits: traits };
  }

  /** An order that nobody here can buy is not taken: it would be debited and never end. */
  private supplierOf({ offer }: OrderDraft): Supplier {
    const supplier = this.deps.suppliers.get(offer.supplier);
    if (supplier) return supplier;
    this.deps.log.error(
      { supplier: offer.supplier, sku: offer.supplierSku },
      'a product on sale names a supplier that is not configured',
    );
    throw errors.serviceUnavailable();
  }

  /** A quick no where neither balance nor voucher is enough; the placing transaction decides. */
  private async funding(
    client: Client,
    { redeemVoucherCode }: OrderDraft,
    { wallet, pricing }: Quote,
  ): Promise<Funding> {
    if (redeemVoucherCode === undefined) {
      if (wallet.balance.lessThan(pricing.price)) throw errors.insufficientBalance();
      return {};
    }
    const voucher = await findRedeemable(this.deps.database, {
      clientId: client.id,
      codeHashes: this.deps.sealer.lookupHashes(redeemVoucherCode),
      currencyCode: wallet.currencyCode,
      price: pricing.price,
      now: new Date(),
    });
    if (!voucher) throw errors.voucherNotRedeemable();
    return { redeems_order_id: voucher.orderId, redeems_unit: voucher.unit };
  }

  private async reserve(
    client: Client,
    draft: OrderRequest,
    { quote, funding, supplierTraits }: CheckedDraft,
    { placement, response }: OrderDeadlines,
  ): Promise<OrderKey> {
    const { sealer, database } = this.deps;
    const nonce = newNonce();
    const id = await reserveIntake(database, {
      nonce,
      clientId: client.id,
      family: draft.offer.family,
      clientReference: draft.clientReference,
      caller: draft.caller,
      walletId: quote.wallet.id,
      price: quote.pricing.price.toFixed(),
      details: {
        ...detailsOf(draft, quote),
        ...funding,
        ...recipientHashes(sealer, draft),
        max_units: supplierTraits.maxUnits,
      },
      placementDeadlineMs: placement.leftMs,
      sealedEmail: sealer.sealOptional(orderField(nonce, 'email'), draft.email),
      sealedInput: sealer.sealOptional(
        orderField(nonce, 'input'),
        draft.input && JSON.stringify(draft.input),
      ),
      heldKey: draft.key && { ...draft.key, answerWithinMs: Math.max(placement.leftMs, response.leftMs) },
    }).catch((error: unknown) => {
      throw isKeyHeld(error) ? errors.idempotencyKeyInUse() : error;
    });
    return { orderId: id, nonce };
  }

  /** Has the order placed, and waits for its answer. Once it waits for its supplier it no longer stands in the others' way. */
  private async placeAndAnswer(
    order: OrderStart,
    label: WorkflowMetadata,
    limits: OrderDeadlines,
    permit: Permit,
  ): Promise<Answer> {
    const answered = new AbortController();
    const decided = new Promise<void>((resolve) => {
      void pollProgress(this.deps, order, answered.signal, (progress) => {
        if (progress !== 'RESERVED') resolve();
        if (progress === 'HANDED_OVER') permit.release();
      });
    });
    const limitMs = Math.max(limits.placement.leftMs, limits.response.leftMs);
    const ended = this.deps.completions
      .of(order, answered.signal)
      .then((): Answer => ({ outcome: 'PLACED' }));
    const started = Promise.race([this.start(order, label, limitMs), ended]);
    try {
      return await answerOf(this.deps, order, limits, started, decided);
    } finally {
      answered.abort();
    }
  }

  private async start(start: OrderStart, label: WorkflowMetadata, limitMs: number): Promise<Answer> {
    const { temporal, workers, storage } = this.deps;
    const answer = await temporal
      .withDeadline(Date.now() + limitMs, () =>
        temporal.workflow.executeUpdateWithStart<(start: OrderStart) => Promise<unknown>, Answer, []>(
          orderMessages.answer,
          {
            updateId: orderMessages.answer,
            startWorkflowOperation: new WithStartWorkflowOperation(families[start.family].workflow, {
              ...orderStartOptions(start, label),
              workflowIdConflictPolicy: 'USE_EXISTING',
            }),
          },
        ),
      )
      .catch((error: unknown) => {
        storage.recordFailedStart();
        throw error;
      });
    workers.recordAnswer();
    return answer;
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
        const earlier = await findByReference(this.deps.database, client.id, draft.clientReference as string);
        return errors.duplicateReference(earlier ? orderPath(earlier.family, earlier.id) : '');
      }
    }
  }

  /** Of a create that was fenced off: to be told why it would be refused by now is better than to be told to try again. */
  private async rejectionOfAbandoned(client: Client, draft: OrderDraft): Promise<ApiError> {
    try {
      if (!this.deps.closing.aborted) {
        await rejectDuplicate(this.deps.database, client, draft.clientReference);
        await this.check(client, draft);
      }
    } catch (error) {
      if (error instanceof ApiError) return error;
      this.deps.log.warn({ err: error }, 'an abandoned create could not be checked again');
    }
    return errors.serviceUnavailable();
  }
}

/** 62 bits: enough that an order id used twice never meets the workflow of the other. */
function newNonce(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-12);
}

function metadataOf(client: Client, { offer, quantity }: OrderDraft, { pricing }: Quote): WorkflowMetadata {
  const { productId, productName, supplier } = offer;
  return {
    clientId: client.id,
    quantity,
    productId,
    productName,
    supplier,
    price: pricing.price.toFixed(),
    currency: pricing.walletCurrency,
  };
}

/** What operators find the order by, without opening anything. */
function recipientHashes(
  sealer: Sealer,
  { email, input }: OrderDraft,
): Pick<IntakeDetails, 'email_hash' | 'phone_hash'> {
  const phone = input && phoneOf(input);
  const hashOf = (text: string) => `\\x${sealer.lookupHash(text).toString('hex')}`;
  return {
    ...(email !== undefined && { email_hash: hashOf(comparableEmail(email)) }),
    ...(phone !== undefined && { phone_hash: hashOf(phone) }),
  };
}

function detailsOf(
  { offer, quantity, details }: OrderDraft,
  { pricing }: Quote,
): Omit<IntakeDetails, 'max_units'> {
  return {
    product_id: offer.productId,
    product_name: offer.productName,
    country_code: offer.countryCode,
    supplier: offer.supplier,
    supplier_sku: offer.supplierSku,
    quantity,
    unit_amount: offer.faceValue.toFixed(),
    amount: pricing.listTotal.toFixed(),
    discount: pricing.discount.toFixed(),
    base_currency: pricing.productCurrency,
    deduction_currency: pricing.walletCurrency,
    forex_rate: pricing.converted?.rate.toFixed() ?? null,
    conversion_charges: pricing.converted?.fee.toFixed() ?? null,
    ...details,
  };
}
