/** Purchases at a separate simulator, through the real adapter and into a separate database. */
import { randomBytes } from 'node:crypto';
import type { Simulator } from '../../dev/simulator/server';
import type { Modes } from '../../dev/simulator/modes';
import { firstRow } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { placeOrder } from '../../src/data/orders/place-order';
import { findPurchase, type Purchase } from '../../src/data/purchases/purchase-reads';
import { OpenPurchases } from '../../src/ordering/purchasing/open-purchases';
import { Purchasing } from '../../src/ordering/purchasing/purchasing';
import type { PurchaseCall } from '../../src/ordering/purchasing/purchase-work';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import type { Family } from '../../src/domain/orders/families';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { checkForLateGoods } from '../../src/ordering/purchasing/late-goods';
import type { PurchasingDependencies } from '../../src/ordering/purchasing/sending-and-lookup';
import { SentPurchases } from '../../src/ordering/purchasing/conclusive-lookups';
import { OperatorDecisions } from '../../src/ordering/purchasing/operator-decisions';
import { orderField, Sealer } from '../../src/security/sealing';
import type { PurchaseRequest, Supplier } from '../../src/domain/suppliers/port';
import { newHolder, reserve } from '../../dev/testbed/ledger-rows';
import { behave, bought, cleanUp, control, start, supplierAt } from './simulator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newKeyRing } from './keys';

export const sealer = new Sealer(newKeyRing());
export const skus = { VOUCHER: 'SIM-GC-COFFEE-US', TOPUP: 'SIM-TU-LIBERTY-AIRTIME', ESIM: 'SIM-ESIM-USA-1GB' };
export const goOn: PurchaseCall = { mayContinue: () => true, knownDelivered: 0 };

export const { database, url: databaseUrl } = scratchDatabase();
export let simulator: Simulator;
export let supplier: Supplier;
export let purchasing: Purchasing;
export let openPurchases: OpenPurchases;
export let decisions: OperatorDecisions;
let dependencies: PurchasingDependencies;
let sentPurchases: SentPurchases;
/** How far tests have advanced the clock of this process, in milliseconds. */
let passedMs: number;
/** Gives each test its own simulator and buyer, with a clock that tests can advance. Call it at the top of the file. */
export function buysFromSimulator(): void {
  beforeEach(async () => {
    passedMs = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    sentPurchases = new SentPurchases();
    simulator = await start();
    const real = supplierAt(simulator, { purchaseTimeoutMs: 400, lookupTimeoutMs: 400 });
    // No settling time, so that an empty lookup waits only for the lease.
    supplier = { ...real, traits: { ...real.traits, lookupConclusiveAfterMs: 0 } };
    buyFrom(supplier);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await cleanUp();
  });
}

export function dependenciesWith(from: Supplier, ...others: Supplier[]): PurchasingDependencies {
  const suppliers = new Map([['simulator', from], ...others.map((one) => [one.name, one] as const)]);
  return { database, sealer, suppliers, sentPurchases, priceChangeLimitPercent: 20 };
}

/** `others` are further suppliers, by their names. */
export function buyFrom(from: Supplier, ...others: Supplier[]): void {
  dependencies = dependenciesWith(from, ...others);
  purchasing = new Purchasing(dependencies);
  openPurchases = new OpenPurchases(dependencies);
  decisions = new OperatorDecisions(dependencies);
}

export const checkLate = (purchase: Purchase) => checkForLateGoods(dependencies, purchase);

export const purchasingWith = (from: Supplier, ...others: Supplier[]) =>
  new Purchasing(dependenciesWith(from, ...others));

interface BoughtOrder {
  family?: Family;
  maxUnits?: number;
  from?: { name: string; maxUnits?: number; costRate?: { currency: string; rate: string; isReference?: boolean } }[];
  /** Of all units; default: 10 dollars each. */
  price?: string;
  /** Further columns of the order. */
  details?: object;
}

/** A pending order of `units` units, with the suppliers as its sources, split into purchases of at most `maxUnits`. */
export async function placed(quantity = 1, options: BoughtOrder = {}): Promise<OrderKey> {
  const order = await reserved(quantity, options);
  await placeOrder(database, order);
  return order;
}

/** The reservation of such an order. */
export async function reserved(
  quantity = 1,
  {
    family = 'VOUCHER',
    maxUnits = 500,
    from = [{ name: 'simulator' }],
    price,
    details: special = {},
  }: BoughtOrder = {},
): Promise<OrderKey> {
  const holder = await newHolder(database, 100_000);
  const nonce = randomBytes(6).toString('hex');
  const input = sealer.seal(orderField(nonce, 'input'), JSON.stringify({ phone_number: '12025550100' }));
  const { orderId } = await reserve(database, holder, quantity, {
    family,
    nonce,
    sealedInput: input,
    ...(price !== undefined && { price }),
  });
  const order = { orderId, nonce };
  const details = {
    sources: from.map((source, index) => ({
      id: index + 1,
      supplier: source.name,
      sku: skus[family],
      data: null,
      maxUnits: source.maxUnits ?? maxUnits,
      why: `priority ${index}`,
      costRate: source.costRate,
    })),
    variant_id: 1,
    variant_name: 'Variant',
    data_amount_gb: '1',
    validity_days: 7,
    ...special,
  };
  await sql(database)`UPDATE order_reservations SET details = details || ${JSON.stringify(details)}
       WHERE order_id = ${order.orderId}`;
  return order;
}

/** The order's purchase with this number, by default the only one. */
export async function purchaseOf({ orderId, nonce }: OrderKey, batch = 1): Promise<Purchase> {
  return (await findPurchase(database, purchaseReference(orderId, nonce, batch))) as Purchase;
}

/** Advances only the clock of this process. */
export function pass(ms: number): void {
  passedMs += ms;
}

/** Restarts the buyer with an empty memory. */
export function beginAnew(): void {
  sentPurchases = new SentPurchases();
  buyFrom(supplier);
}

/** Moves the purchase's claim this far into the past. */
export async function age(order: OrderKey, ms: number): Promise<void> {
  pass(ms);
  await leap(order, ms);
}

/** Moves only the database's clock ahead, or back if `ms` is negative. */
export async function leap({ orderId }: OrderKey, ms: number): Promise<void> {
  await sql(database)`UPDATE supplier_purchases SET sent_at = sent_at - ${ms} * interval '1 millisecond'
       WHERE order_id = ${orderId}`;
}

/** Makes the supplier sell under this reference, by default a voucher, without a purchase of the service. */
export const sell = (request: Partial<PurchaseRequest> & Pick<PurchaseRequest, 'reference'>) =>
  supplier.purchase(
    { family: 'VOUCHER', sku: skus.VOUCHER, units: 1, unitValue: '10', currency: 'USD', ...request },
    () => true,
  );

export const soldFor = ({ orderId }: OrderKey) => bought(simulator, `?reference=order-${orderId}`);
export const misbehave = (modes: Modes) => behave(simulator, modes);
export const behaveWell = () => control(simulator, 'behaviour', undefined, 'DELETE');
export const buy = (order: OrderKey) => purchasing.buy(order, goOn);
export const ask = (order: OrderKey) => openPurchases.pollAll(order, goOn);
export const withdraw = (order: OrderKey) => openPurchases.withdraw(order, goOn, 'GIVEN_UP');
export const cancel = (order: OrderKey) => openPurchases.withdraw(order, goOn, 'CANCELLED');

export async function listed({ orderId }: OrderKey): Promise<string[]> {
  const found = await sql(database)<{ kind: string }>`SELECT kind FROM attention WHERE order_id = ${orderId}
       AND cleared_at IS NULL`;
  return found.map(({ kind }) => kind);
}

export async function quarantined({ orderId }: OrderKey): Promise<number> {
  const found = await sql.first(database)<{ count: number }>`SELECT count(*) AS count FROM quarantined_goods
       WHERE order_id = ${orderId}`;
  return found?.count ?? 0;
}

export async function readable({ orderId }: OrderKey): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    `SELECT (SELECT count(*) FROM vouchers WHERE order_id = $orderId)
          + (SELECT count(*) FROM esim_orders WHERE order_id = $orderId AND iccid IS NOT NULL) AS count`,
    { orderId },
  );
  return found?.count ?? 0;
}
