/** Reading 10,000 of 100,000 prices, compared with a bare SELECT of the same rows; and the events of importing these products. */
import { setTimeout as sleep } from 'node:timers/promises';
import { announceCatalogueChanges } from '../../../src/data/catalogue/catalogue-versions';
import { oneRow, openDatabase, rows, type Database } from '../../../src/data/database/database';
import { createClient } from '../../testbed/clients';
import type { Bench } from '../bench';
import { processCpuMs, residentBytes } from '../cpu';
import { byTurns, timed } from '../figures';
import { Inspector } from '../inspector';
import { OrderClient } from '../order-client';
import { alone, atMost, timesFloor, type Line } from '../report';

const PRODUCTS = 100_000;
const IMPORTED_AT_ONCE = 5_000;
/** The longest wait for the next large read of a client. */
const PAUSE_MS = 1_100;
const MARK = 'bench-price-list';

const insertStatement = `
  WITH product AS (
    INSERT INTO voucher_products (name, category_id, country_code, currency_code, supplier, supplier_sku)
    SELECT 'Bench ' || number, (SELECT min(id) FROM categories), 'USA', 'USD', 'simulator', $mark || number
      FROM generate_series($first::integer, $last::integer) number RETURNING id, supplier_sku
  ), priced AS (
    INSERT INTO voucher_denominations (product_id, min_value, max_value, discount_percent) SELECT id, 10, 10, 2 FROM product
  )
  INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
  SELECT 'VOUCHER', id, 'simulator', supplier_sku, 90 FROM product`;

/** The rows of one page as they are stored, in their order. */
const bareStatement = `
  SELECT product.id, product.name, product.country_code, product.currency_code, denomination.min_value, denomination.max_value,
         denomination.discount_percent
    FROM voucher_products product
    JOIN voucher_denominations denomination ON denomination.product_id = product.id
    JOIN product_sources source ON source.family = 'VOUCHER' AND source.item_id = product.id AND source.active
   WHERE product.active ORDER BY product.id, denomination.min_value OFFSET $offset LIMIT 10000`;

export async function measurePriceList({ stack, rounds, say }: Bench): Promise<Line[]> {
  const { api = 0 } = stack.pids;
  const database = openDatabase(stack.database_url, 2, { statementMs: 120_000 });
  const { id, credentials, wallets } = await createClient(database, { USD: 1_000, EUR: 1_000 });
  const client = await OrderClient.login(stack, credentials);
  const inspector = await Inspector.attach(api);
  const path = `/api/v1/price-list?family=VOUCHER&wallet_id=${wallets['EUR']}&limit=10000&page=`;
  const read = async (page: number) => {
    await sleep(PAUSE_MS);
    return { ms: await timed(() => client.text(path + page)) };
  };
  const select = async (offset: number) => ({
    ms: await timed(() => rows(database, bareStatement, { offset })),
  });
  try {
    say(`  ${PRODUCTS} products are imported ...`);
    const events = await eventsOfImport(database, id);
    const memory = residentBytes(api);
    const counted = await read(1);
    const { first, last, bareFirst, bareLast } = await byTurns(rounds, {
      first: () => read(1),
      bareFirst: () => select(0),
      last: () => read(10),
      bareLast: () => select(90_000),
    });
    const cpu = processCpuMs(api);
    const longestTurn = await inspector.longestTurn(() => read(1));
    const work = `10,000 of ${PRODUCTS} prices`;
    return [
      timesFloor(`${work}: the first page, vs. a bare SELECT`, 'ms', first.ms, bareFirst.ms),
      timesFloor(`${work}: the last page, vs. a bare SELECT`, 'ms', last.ms, bareLast.ms),
      alone(`${work}: after a change, which counts all`, 'ms', counted.ms),
      alone(`${work}: CPU of the API`, 'ms', processCpuMs(api) - cpu),
      alone(`${work}: longest turn of the event loop`, 'ms', longestTurn, atMost(50)),
      alone(`${work}: growth of the API's memory`, 'MB', (residentBytes(api) - memory) / 1e6),
      alone(`events of the import of ${PRODUCTS} products`, '', events),
    ];
  } finally {
    await inspector.close();
    await client.close();
    await forget(database, id);
    await database.close();
  }
}

/** Imports the products in many statements. Returns the number of events that announce them. */
async function eventsOfImport(database: Database, clientId: number): Promise<number> {
  await rows(
    database,
    `INSERT INTO webhook_endpoints (client_id, nonce, url, description, event_types, enabled, paused, sealed_secret)
     VALUES ($clientId, $mark, 'https://bench.example', '', '{catalogue.changed}', true, true, '')`,
    { clientId, mark: MARK },
  );
  await database.transaction(async (transaction) => {
    for (let first = 1; first <= PRODUCTS; first += IMPORTED_AT_ONCE) {
      const binds = { mark: MARK, first, last: first + IMPORTED_AT_ONCE - 1 };
      await rows(database, insertStatement, binds, transaction);
    }
  });
  await rows(database, 'ANALYZE voucher_products, voucher_denominations, product_sources');
  await rows(database, `UPDATE catalogue_announced SET at = '-infinity'`);
  await announceCatalogueChanges(database);
  const counted = `SELECT count(*) AS events FROM events WHERE client_id = $clientId AND type = 'catalogue.changed'`;
  return (await oneRow<{ events: number }>(database, counted, { clientId })).events;
}

async function forget(database: Database, clientId: number): Promise<void> {
  await rows(
    database,
    `WITH product AS (DELETE FROM voucher_products WHERE supplier_sku LIKE $mark || '%' RETURNING id)
     DELETE FROM product_sources WHERE family = 'VOUCHER' AND sku LIKE $mark || '%'`,
    { mark: MARK },
  );
  await rows(database, 'UPDATE webhook_endpoints SET enabled = false WHERE client_id = $clientId', {
    clientId,
  });
}
