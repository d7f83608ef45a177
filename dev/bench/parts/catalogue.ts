/** One-voucher orders while 10,000 offers of a supplier are synchronised, compared with voucher orders alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { syncOffers } from '../../../src/catalogue/offer-sync';
import { openDatabase, rows, type Database } from '../../../src/data/database/database';
import type { Supplier, SupplierOffer } from '../../../src/domain/suppliers/port';
import { createClient } from '../../testbed/clients';
import type { Bench } from '../bench';
import { byTurns, median, quantile, timed, timesDuring } from '../figures';
import { OrderClient } from '../order-client';
import { alone, atMost, timesFloor, type Line } from '../report';

const OFFERS = 10_000;
const PAGE = 100;
/** Offers that are the source of an item. Their cost changes with each list. */
const LINKED = 2_000;
/** Concurrent voucher order requests. */
const CLIENTS = 4;
const SUPPLIER = 'bench-catalogue';
/** No items have such ids, so no order finds these sources. */
const FIRST_ITEM = 2_000_000_000;

export async function measureCatalogue({ stack, seconds, rounds, say }: Bench): Promise<Line[]> {
  const database = openDatabase(stack.database_url, 2);
  const { credentials } = await createClient(database, { USD: 1_000_000 });
  const vouchers = await OrderClient.login(stack, credentials);
  const ordersDuring = async (work: () => Promise<unknown>) => {
    const times = await timesDuring(work, CLIENTS, () => vouchers.orderOne());
    return { median: median(times), p95: quantile(times, 0.95) };
  };
  const took: number[] = [];
  let lists = 0;
  const sync = async () => {
    const supplier = supplierOf(lists++);
    took.push(await timed(() => syncOffers(database, supplier, { limitPercent: 20 })));
  };
  try {
    say('  the first list, which adds every offer ...');
    await link(database);
    await sync();
    took.length = 0;
    const { quiet, during } = await byTurns(rounds, {
      quiet: () => ordersDuring(() => sleep(seconds * 1_000)),
      during: () => ordersDuring(sync),
    });
    const work = `voucher orders by ${CLIENTS} clients while ${OFFERS} offers are synchronised`;
    return [
      timesFloor(`${work}: median, vs. alone`, 'ms', during.median, quiet.median, atMost(1.25)),
      timesFloor(`${work}: p95, vs. alone`, 'ms', during.p95, quiet.p95, atMost(1.5)),
      alone(
        `${OFFERS} offers, ${LINKED} of them with a changed cost: until synchronised`,
        's',
        median(took) / 1_000,
      ),
    ];
  } finally {
    await forget(database);
    await Promise.all([vouchers.close(), database.close()]);
  }
}

/** A supplier with all offers in its n-th list. */
function supplierOf(list: number): Supplier {
  return {
    name: SUPPLIER,
    traits: {
      repeatedReference: 'buys-again',
      lookup: 'none',
      lookupConclusiveAfterMs: 0,
      maxUnits: 1,
      concurrency: 'unlimited',
      pushesEsims: false,
    },
    purchase: () => Promise.reject(new Error('It sells nothing.')),
    find: () => Promise.reject(new Error('It sells nothing.')),
    catalogue: async function* () {
      for (let from = 0; from < OFFERS; from += PAGE)
        yield Array.from({ length: PAGE }, (_, index) => offer(from + index, list));
    },
  };
}

function offer(number: number, list: number): SupplierOffer {
  // At most 1 % more or less, so that every change is adopted.
  const cost = number < LINKED && list % 2 === 1 ? '10.1' : '10';
  return {
    family: 'ESIM',
    sku: skuOf(number),
    name: `Plan ${number}`,
    currency: 'USD',
    amounts: { fixed: ['12'] },
    cost: { fixed: cost, fee: '0', currency: 'USD' },
    plan: { dataAmountGb: 1, validityDays: 7, regions: [], networks: [], isRechargeable: false },
    productSku: 'world',
    inputs: [],
  };
}

const skuOf = (number: number): string => `plan-${number}`;

async function link(database: Database): Promise<void> {
  const numbers = Array.from({ length: LINKED }, (_, number) => number);
  await rows(
    database,
    `INSERT INTO product_sources (family, item_id, supplier, sku)
     SELECT 'ESIM', $firstItem + number, $supplier, 'plan-' || number FROM unnest($numbers::integer[]) number`,
    { firstItem: FIRST_ITEM, supplier: SUPPLIER, numbers },
  );
}

async function forget(database: Database): Promise<void> {
  for (const table of ['product_sources', 'supplier_offers'])
    await rows(database, `DELETE FROM ${table} WHERE supplier = $supplier`, { supplier: SUPPLIER });
}
