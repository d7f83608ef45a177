/**
 * Where every create goes, whatever the family: reference, wallet, price and what pays are checked, an
 * intake is reserved, and one durable workflow places and fulfils the order.
 *
 * The fence: whenever the answer is "unavailable", the intake was abandoned first, in the database,
 * so that no order can come of it any more. See decisions, "Orders" (503 and 504).
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WithStartWorkflowOperation, type Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Offer } from '../data/catalogue/offers';
import type { Client } from '../data/clients';
import type { Database } from '../data/database';
import {
  abandonIntake,
  decidedIntake,
  reserveIntake,
  type DecidedIntake,
  type IntakeDetails,
} from '../data/orders/intakes';
import { findByReference } from '../data/orders/order-reads';
import { findRedeemable } from '../data/orders/redemption';
import { quoteOrder, type Quote } from '../data/quotes';
import { errors, type ApiError } from '../domain/errors';
import {
  orderMessages,
  orderWorkflows,
  type Answer,
  type OrderKey,
  type OrderStart,
  type Refusal,
} from '../domain/order-flow';
import { orderPath, type Family } from '../domain/orders';
import { patience } from '../domain/patience';
import type { TopupInput } from '../domain/topup-input';
import { orderField } from '../security/places';
import type { Sealer } from '../security/sealing';
import type { Supplier } from '../suppliers/port';
import { supplierNamed } from '../suppliers/registry';
import { orderStartOptions } from './order-workflow';
import { refuseDuplicate } from './references';
import { WaitingLine, type Place } from './waiting-line';
import { unanswered, within } from './within';

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

/** The voucher that pays, where one does. */
type Funding = Pick<IntakeDetails, 'redeems_order_id' | 'redeems_unit'>;

export interface OrderDeskTools {
  database: Database;
  sealer: Sealer;
  temporal: TemporalClient;
  suppliers: ReadonlyMap<string, Supplier>;
  log: Logger;
  /** Creates in flight beyond this number are refused with 503 before anything is written. */
  maxInFlight: number;
}

/** Milliseconds the handler grants beyond the workflow's own limit before it answers from the row. */
const GRACE = 1_500;

/**
 * Creates of a family being placed at one time. The others wait in line and are checked when it is their
 * turn: a burst starts no workflow that could not be placed in time, none for a balance that is gone by
 * then, and hardly delays another family.
 */
const PLACES = 24;
/** How often a create that waits for its goods looks whether its order is placed, in milliseconds. */
const LOOK_EVERY = 300;

export class OrderDesk {
  private inFlight = 0;
  private readonly lines: Readonly<Record<Family, WaitingLine>> = {
    VOUCHER: new WaitingLine(PLACES),
    TOPUP: new WaitingLine(PLACES),
    ESIM: new WaitingLine(PLACES),
  };

  constructor(private readonly tools: OrderDeskTools) {}

  /**
   * Creates an order and returns its id once there is something to show. Throws the contract's 400s
   * and 404s, 503 where certainly no order exists or will, 504 where that cannot be found out.
   */
  async create(client: Client, draft: OrderDraft): Promise<number> {
    if (this.inFlight >= this.tools.maxInFlight) throw errors.serviceUnavailable();
    this.inFlight++;
    const { acceptWithin, answerWithin } = patience[draft.offer.family];
    const answerBy = Date.now() + answerWithin;
    const place = await this.lines[draft.offer.family].enter(acceptWithin);
    try {
      if (!place) throw errors.serviceUnavailable();
      return await this.createAt(place, client, draft, answerBy);
    } finally {
      place?.leave();
      this.inFlight--;
    }
  }

  private async createAt(place: Place, client: Client, draft: OrderDraft, answerBy: number): Promise<number> {
    const { quote, funding } = await this.check(client, draft);
    const order = await this.reserve(client, draft, quote, funding);
    void this.leaveWhenPlaced(place, order);
    const answer = await this.answerOf(order, client, draft, answerBy);
    if (answer.outcome === 'PLACED') return order.orderId;
    throw await this.refused(answer, client, draft);
  }

  private async leaveWhenPlaced(place: Place, order: OrderKey): Promise<void> {
    for (;;) {
      await sleep(LOOK_EVERY);
      if (!place.isTaken) return;
      if (await this.isDecided(order)) place.leave();
    }
  }

  /** Reads an order just created. It exists, so a failure to read it is no failure to create it: 504. */
  async show<View>(id: number, read: (id: number) => Promise<View>): Promise<View> {
    try {
      return await read(id);
    } catch (error) {
      this.tools.log.error({ err: error, orderId: id }, 'a created order could not be read');
      throw errors.outcomeUnknown();
    }
  }

  /** Everything that can be refused before anything is written. */
  private async check(client: Client, draft: OrderDraft): Promise<{ quote: Quote; funding: Funding }> {
    await refuseDuplicate(this.tools.database, client, draft.clientReference);
    const quote = await this.quote(client, draft);
    return { quote, funding: await this.funding(client, draft, quote) };
  }

  private async quote(client: Client, { offer, quantity, walletId }: OrderDraft): Promise<Quote> {
    return quoteOrder(this.tools.database, {
      ...offer,
      clientId: client.id,
      productCurrency: offer.currencyCode,
      quantity,
      walletId,
    });
  }

  /** A quick no where neither balance nor voucher is enough; the placing transaction decides. */
  private async funding(
    client: Client,
    { redeemVoucherCode }: OrderDraft,
    { wallet, price }: Quote,
  ): Promise<Funding> {
    if (redeemVoucherCode === undefined) {
      if (wallet.balance.lessThan(price.totalPayable)) throw errors.insufficientBalance();
      return {};
    }
    const voucher = await findRedeemable(this.tools.database, {
      clientId: client.id,
      codeHashes: this.tools.sealer.lookupHashes(redeemVoucherCode),
      currencyCode: wallet.currencyCode,
      worth: price.totalPayable,
      now: new Date(),
    });
    if (!voucher) throw errors.voucherNotRedeemable();
    return { redeems_order_id: voucher.orderId, redeems_unit: voucher.unit };
  }

  private async reserve(
    client: Client,
    draft: OrderDraft,
    quote: Quote,
    funding: Funding,
  ): Promise<OrderKey> {
    const { sealer, database } = this.tools;
    const nonce = newNonce();
    const id = await reserveIntake(database, {
      nonce,
      clientId: client.id,
      family: draft.offer.family,
      clientReference: draft.clientReference,
      walletId: quote.wallet.id,
      totalPayable: quote.price.totalPayable.toFixed(),
      details: {
        ...detailsOf(draft, quote),
        ...funding,
        max_units: supplierNamed(this.tools.suppliers, draft.offer.supplier).traits.maxUnits,
      },
      acceptBy: new Date(Date.now() + patience[draft.offer.family].acceptWithin),
      sealedEmail: sealer.sealOptional(orderField(nonce, 'email'), draft.email),
      sealedInput: sealer.sealOptional(
        orderField(nonce, 'input'),
        draft.input && JSON.stringify(draft.input),
      ),
    });
    return { orderId: id, nonce };
  }

  /**
   * Starts the workflow and waits for its answer. Where it fails or stays silent, the fence decides:
   * an order that stands is shown as it stands, any other will never be.
   */
  private async answerOf(
    order: OrderKey,
    client: Client,
    draft: OrderDraft,
    answerBy: number,
  ): Promise<Answer> {
    const { family } = draft.offer;
    const { acceptWithin } = patience[family];
    const showAfter = answerBy + GRACE - Date.now();
    const start: OrderStart = { ...order, family, asynchronous: draft.asynchronous, answerBy };
    const longest = Math.max(showAfter, acceptWithin);
    const answer = this.start(start, client, draft, longest).catch((error: unknown): typeof unanswered => {
      this.tools.log.warn({ err: error, orderId: order.orderId }, 'no answer from the order workflow');
      return unanswered;
    });
    const first = await within(answer, Math.min(showAfter, acceptWithin));
    if (first !== unanswered) return first;
    if (showAfter < acceptWithin && !(await this.isDecided(order))) {
      const late = await within(answer, acceptWithin - showAfter);
      if (late !== unanswered) return late;
    }
    const standing = await this.fence(order);
    if (standing.outcome === 'PLACED') await within(answer, showAfter - acceptWithin);
    return standing;
  }

  private async start(
    start: OrderStart,
    client: Client,
    { offer, quantity }: OrderDraft,
    limit: number,
  ): Promise<Answer> {
    const { temporal } = this.tools;
    return temporal.withDeadline(Date.now() + limit, () =>
      temporal.workflow.executeUpdateWithStart<(start: OrderStart) => Promise<unknown>, Answer, []>(
        orderMessages.answer,
        {
          updateId: orderMessages.answer,
          startWorkflowOperation: new WithStartWorkflowOperation(orderWorkflows[start.family], {
            ...orderStartOptions(start, { clientId: client.id, quantity, productName: offer.productName }),
            workflowIdConflictPolicy: 'USE_EXISTING',
          }),
        },
      ),
    );
  }

  /** Whether there is something to show already. Not knowing it costs a longer wait, nothing else. */
  private async isDecided({ orderId: id }: OrderKey): Promise<boolean> {
    const intake = await decidedIntake(this.tools.database, id).catch(() => undefined);
    return intake !== undefined && intake.state !== 'RESERVED';
  }

  /** Makes sure that an undecided intake never becomes an order, and tells what was decided. */
  private async fence({ orderId: id }: OrderKey): Promise<Answer> {
    try {
      if (await abandonIntake(this.tools.database, id)) return { outcome: 'ABANDONED' };
      return answerFrom(await decidedIntake(this.tools.database, id));
    } catch (error) {
      this.tools.log.error({ err: error, orderId: id }, 'outcome of a create unknown');
      throw errors.outcomeUnknown();
    }
  }

  private async refused(answer: Answer, client: Client, draft: OrderDraft): Promise<ApiError> {
    if (answer.outcome !== 'REFUSED') {
      // Fenced off: to be told why it would be refused by now is better than to be told to try again.
      await this.check(client, draft);
      return errors.serviceUnavailable();
    }
    switch (answer.refusal) {
      case 'INSUFFICIENT_BALANCE':
        return errors.insufficientBalance();
      case 'VOUCHER_NOT_REDEEMABLE':
        return errors.voucherNotRedeemable();
      case 'CLIENT_LIMIT_EXCEEDED':
        return errors.clientLimitExceeded();
      case 'DUPLICATE_CLIENT_REFERENCE': {
        const earlier = await findByReference(
          this.tools.database,
          client.id,
          draft.clientReference as string,
        );
        return errors.duplicateReference(earlier ? orderPath(earlier.family, earlier.id) : '');
      }
    }
  }
}

/** 62 bits: enough that an order id used twice never meets the workflow of the other. */
function newNonce(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-12);
}

function detailsOf(
  { offer, quantity, details }: OrderDraft,
  { price }: Quote,
): Omit<IntakeDetails, 'max_units'> {
  return {
    product_id: offer.productId,
    product_name: offer.productName,
    country_code: offer.countryCode,
    supplier: offer.supplier,
    supplier_sku: offer.supplierSku,
    quantity,
    unit_amount: offer.unitAmount.toFixed(),
    amount: price.nonDiscountedTotal.toFixed(),
    discount: price.discountAmount.toFixed(),
    base_currency: price.productCurrency,
    deduction_currency: price.walletCurrency,
    forex_rate: price.converted?.forexRate.toFixed() ?? null,
    conversion_charges: price.converted?.feeAmount.toFixed() ?? null,
    ...details,
  };
}

function answerFrom(intake: DecidedIntake | undefined): Answer {
  if (intake?.state === 'PLACED') return { outcome: 'PLACED' };
  if (intake?.state === 'REFUSED') return { outcome: 'REFUSED', refusal: intake.refusal as Refusal };
  return { outcome: 'ABANDONED' };
}
