/** A small sound ledger with one order of every kind of outcome. Tests damage it. */
import { advanceEsim } from '../../src/data/esims/stored-esims';
import { recordSupplierCredit } from '../../src/data/orders/operated-claims';
import { refundOrder } from '../../src/data/orders/stored-refunds';
import { markPartiallyDelivered } from '../../src/data/orders/settle-order';
import { rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { Exact } from '../../src/domain/prices/money';
import { newHolder, post, type Holder } from '../../dev/testbed/ledger-rows';
import { createOrder, deliver, endOrder, houseBrand, type OrderWish } from './ledger-orders';
import { storeUnits } from './fulfilment';
import { goodwill, newClaim, refundClaim, replaceClaim } from './claims';

/** Ids of the orders, by outcome. */
export interface SoundLedger {
  holder: Holder;
  /** A second client. */
  other: Holder;
  /** Three vouchers in purchases of two and one. */
  delivered: number;
  /** One of three vouchers delivered, the rest refunded. */
  failed: number;
  /** One of three vouchers delivered, the rest awaited. */
  partial: number;
  pending: number;
  /** A voucher that has paid for `redeemed`. */
  houseBrand: number;
  /** A top-up, delivered. */
  redeemed: number;
  /** A top-up, refunded. */
  cancelled: number;
  /** A top-up beyond the client's daily cap: neither debited nor bought. */
  capped: number;
  /** An eSIM, installed and used. */
  esim: number;
  /** An eSIM, not installed. */
  freshEsim: number;
  /** Failed while its wallet was closed: the refund is due. */
  due: number;
  /** Three house-brand vouchers: the second was refunded by name. */
  refunded: number;
  /** Two vouchers, of which one was refunded, and then 5 dollars. */
  refundedTwice: number;
  /** Delivered. One of its two vouchers was refunded while the wallet was closed. */
  waiting: number;
  /** Two vouchers; the first was replaced by `replacement`, as the client had claimed. */
  replaced: number;
  replacement: number;
  /** The claim about the delivered eSIM, accepted by its refund. */
  claim: number;
}

/** Fills an empty database. */
export async function soundLedger(database: Database): Promise<SoundLedger> {
  const holder = await newHolder(database, 1_000);
  const other = await newHolder(database, 100);
  await subscribe(database, holder);
  await post(database, holder, -12.5);
  const make = new OrderMaker(database, holder);
  const house = await houseBrand(database);
  const voucher = { orderId: await make.delivered({ productId: house, faceValue: '25' }), unit: 1 };
  const refunded = await make.delivered({ productId: house, quantity: 3 });
  await refundOrder(database, goodwill(refunded, { unit: 2 }));
  const refundedTwice = await make.delivered({ productId: house + 1, quantity: 2 });
  await refundOrder(database, goodwill(refundedTwice, { units: 1 }));
  await refundOrder(database, goodwill(refundedTwice, { amount: new Exact(5) }));
  const waiting = await new OrderMaker(database, other).delivered({ productId: house + 1, quantity: 2 });
  const esim = await make.delivered({ family: 'ESIM' });
  const used = new Date();
  await advanceEsim(database, esim, { installedAt: used, activatedAt: used, depletedAt: null });
  const claim = await refundedClaim(database, holder, esim);
  const replaced = await make.delivered({ productId: house + 1, quantity: 2 });
  const replacement = await replacementOf(database, holder, replaced);
  const ledger = {
    claim,
    replaced,
    replacement,
    holder,
    other,
    refunded,
    refundedTwice,
    waiting,
    esim,
    houseBrand: voucher.orderId,
    delivered: await make.delivered({ quantity: 3, maxUnits: 2 }),
    failed: await make.ended(1, { quantity: 3, price: '29.99', maxUnits: 1 }),
    partial: await make.partial({ quantity: 3, maxUnits: 1 }),
    pending: await make.placed({}),
    redeemed: await make.delivered({ family: 'TOPUP', redeems: voucher }),
    cancelled: await make.ended(0, { family: 'TOPUP' }, true),
    capped: await capped(database, other),
    freshEsim: await make.delivered({ family: 'ESIM' }),
    due: await refundDue(database, other),
  };
  await refundOrder(database, goodwill(waiting, { units: 1 }));
  await converted(database);
  return ledger;
}

/** A client of its own converts 30 of 50 dollars to euros. */
async function converted(database: Database): Promise<void> {
  const { clientId, walletId } = await newHolder(database, 50);
  await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
       VALUES ('EUR', 'USD', 1.08)`;
  const other = await sql.first(database)<{ id: number }>`INSERT INTO wallets (client_id, currency_code)
       VALUES (${clientId}, 'EUR') RETURNING id`;
  await sql(database)`SELECT convert_money(${clientId}, 'mine', ${walletId}, ${other?.id}, 30, NULL)`;
}

async function refundedClaim(database: Database, { clientId }: Holder, orderId: number): Promise<number> {
  const claim = await newClaim(database, { clientId, orderId, unit: null, kind: 'NOT_WORKING' });
  await refundClaim(database, claim);
  for (const amount of ['2', '1.5'])
    await recordSupplierCredit(database, { id: claim, credit: ['USD', amount], force: true });
  return claim;
}

/** Replaces the first unit of the order. Returns the order that does so. */
async function replacementOf(database: Database, { clientId }: Holder, orderId: number): Promise<number> {
  const claimId = await newClaim(database, { clientId, orderId, kind: 'NOT_WORKING' });
  const replacement = await replaceClaim(database, claimId, { nonce: 'replacing123' });
  await deliver(database, replacement);
  return replacement;
}

class OrderMaker {
  constructor(
    private readonly database: Database,
    private readonly holder: Holder,
  ) {}

  async placed(wish: OrderWish): Promise<number> {
    const { orderId, placement } = await createOrder(this.database, this.holder, wish);
    if (placement.outcome !== 'PLACED') throw new Error(`Not placed: ${JSON.stringify(placement)}`);
    return orderId;
  }

  delivered(wish: OrderWish): Promise<number> {
    return this.ended(wish.quantity ?? 1, wish);
  }

  async ended(units: number, wish: OrderWish, cancelled = false): Promise<number> {
    const orderId = await this.placed(wish);
    await storeUnits(this.database, orderId, units);
    await endOrder(this.database, orderId, { cancelled });
    return orderId;
  }

  async partial(wish: OrderWish): Promise<number> {
    const orderId = await this.placed(wish);
    await storeUnits(this.database, orderId, 1);
    await markPartiallyDelivered(this.database, orderId);
    return orderId;
  }
}

/** An endpoint of the client, so that its events have deliveries. */
async function subscribe(database: Database, { clientId }: Holder): Promise<void> {
  await sql.first(database)`
    INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
     VALUES ('nonce', ${clientId}, 'https://client.example/hooks', '', '{}', true, 'sealed')`;
}

async function capped(database: Database, holder: Holder): Promise<number> {
  const setCap = 'UPDATE clients SET daily_caps = $dailyCaps WHERE id = $clientId';
  await rows(database, setCap, { clientId: holder.clientId, dailyCaps: '{"TOPUP": {"count": 0}}' });
  const orderId = await new OrderMaker(database, holder).ended(0, { family: 'TOPUP' });
  await rows(database, setCap, { clientId: holder.clientId, dailyCaps: '{}' });
  return orderId;
}

async function refundDue(database: Database, holder: Holder): Promise<number> {
  const { orderId } = await createOrder(database, holder, { quantity: 2 });
  await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${holder.walletId}`;
  await endOrder(database, orderId);
  return orderId;
}
