/** The goods of copied orders, sealed for their rows and hashed by the product's own sealer. */
import type pg from 'pg';
import { openCodes, sealCodes } from '../../../../src/data/orders/voucher-codes';
import { esimField, type Sealer } from '../../../../src/security/sealing';
import { insertOf, settle } from '../copies';
import type { Side } from '../side';

/** Orders that one statement stores. */
const STEP = 10_000;

/** Writes the vouchers and profiles of the copies in the table `past`, each with a code of its own. */
export async function sealGoods(side: Side): Promise<void> {
  const sealer = await side.sealer();
  await sealEach(side, {
    table: 'vouchers',
    of: 'VOUCHER',
    columns: ['sealed_codes', 'code_hash'],
    none: ['claim_hash'],
    seal: ({ sealed_codes: codes, order_id: original }, id) => {
      const { pinCode } = openCodes(sealer, { orderId: Number(original), unit: 1 }, codes as Buffer);
      const cardNumber = `PAST-${id}`;
      const sealed = sealCodes(sealer, { orderId: id, unit: 1 }, { cardNumber, ...(pinCode && { pinCode }) });
      return [sealed, sealer.lookupHash(cardNumber)];
    },
  });
  await sealEach(side, {
    table: 'esim_orders',
    of: 'ESIM',
    columns: ['iccid', 'iccid_hash', 'activation_code', 'activation_hash'],
    none: [],
    seal: (_original, id) => profileOf(sealer, id),
  });
  await settle(side, [{ table: 'vouchers' }, { table: 'esim_orders' }]);
}

function profileOf(sealer: Sealer, orderId: number): Buffer[] {
  const iccid = `8910${String(orderId).padStart(15, '0')}`;
  const code = `LPA:1$smdp.example$${orderId}`;
  return [
    sealer.seal(esimField(orderId, 'iccid'), iccid),
    sealer.lookupHash(iccid),
    sealer.seal(esimField(orderId, 'activation_code'), code),
    sealer.lookupHash(code),
  ];
}

interface Goods {
  table: string;
  of: string;
  /** The sealed values and hashes. */
  columns: readonly string[];
  /** Columns that the copies leave empty. */
  none: readonly string[];
  /** The values of the columns for the order. */
  seal: (original: Record<string, unknown>, orderId: number) => readonly Buffer[];
}

async function sealEach(side: Side, { table, of, columns, none, seal }: Goods): Promise<void> {
  const { database } = side;
  const { rows: placed } = await database.query<Record<string, unknown>>(
    `SELECT goods.* FROM ${table} goods JOIN placed ON placed.id = order_id JOIN orders ON orders.id = order_id WHERE family = '${of}'`,
  );
  const [original = {}] = placed;
  const places = columns.map((_, index) => `$${index + 3}::bytea[]`);
  const insert = await insertOf(side, {
    table,
    where: `order_id = ${String(original['order_id'])}`,
    values: {
      order_id: 'sealed.order_id',
      ...Object.fromEntries(columns.map((column) => [column, `sealed.${column}`])),
      ...Object.fromEntries(none.map((column) => [column, 'NULL'])),
      ...(of === 'ESIM' && { follow_ended_at: 'sealed.moment' }),
    },
    copies: `unnest($1::bigint[], $2::timestamptz[], ${places.join(', ')}) AS sealed (order_id, moment, ${columns.join(', ')})`,
  });
  for await (const orders of pagesOf(database, Number(original['order_id']))) {
    const values = orders.map(({ id }) => seal(original, id));
    await database.query(insert, [
      orders.map(({ id }) => id),
      orders.map(({ moment }) => moment),
      ...columns.map((_, index) => values.map((row) => row[index])),
    ]);
  }
}

/** The copies of the order, page by page. */
async function* pagesOf(database: pg.Client, original: number): AsyncGenerator<{ id: number; moment: Date }[]> {
  for (let after = 0; ;) {
    const { rows: page } = await database.query<{ id: number; moment: Date }>(
      `SELECT order_id::float8 AS id, moment FROM past WHERE original = ${original} AND order_id > ${after} ORDER BY order_id LIMIT ${STEP}`,
    );
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.id;
  }
}
