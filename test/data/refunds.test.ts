/** The kept share and the refund of a failed order, as the database computes them for refunds and daily caps. */
import fc from 'fast-check';

import { sql } from '../../dev/testbed/sql';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

/** Amounts in the currency's smallest unit. */
interface Draw {
  paid: bigint;
  currency: string;
  quantity: number;
  delivered: number;
}

const draws: fc.Arbitrary<Draw> = fc
  .record({
    paid: fc.bigInt(0n, 10n ** 20n - 1n),
    currency: fc.constantFrom('USD', 'JPY', 'KWD'),
    quantity: fc.integer({ min: 1, max: 5_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...order }) => ({ ...order, delivered: Math.floor(share * order.quantity) }));

const shares = (drawn: Draw[]) =>
  sql(database)<{ kept: string; due: string }>`
  SELECT trim_scale(kept_share(o) * 10::numeric ^ minor_unit)::text AS kept, trim_scale(refund_due(o) * 10::numeric ^ minor_unit)::text AS due
    FROM jsonb_to_recordset(${JSON.stringify(drawn.map((draw) => ({ ...draw, paid: String(draw.paid) })))}::jsonb) AS draw (paid numeric, currency text, quantity integer, delivered integer)
    JOIN currencies ON code = draw.currency
   CROSS JOIN LATERAL jsonb_populate_record(NULL::orders, jsonb_build_object('transaction_id', 1,
     'total_payable', draw.paid / 10::numeric ^ minor_unit, 'deduction_currency', currency, 'quantity', quantity,
     'delivered_quantity', delivered)) o`;

/** An independent calculation with integers. */
function expectedKept({ paid, quantity, delivered }: Draw): bigint {
  const [dividend, divisor] = [paid * BigInt(delivered), BigInt(quantity)];
  return (2n * dividend + divisor) / (2n * divisor);
}

test('When part of an order was delivered, then the kept share is rounded half-up, and share and refund add up to the price', async () => {
  const sample = fc.sample(draws, 2_000);
  const found = await shares(sample);
  const expected = sample.map((draw) => {
    const kept = expectedKept(draw);
    return { kept: String(kept), due: String(draw.paid - kept) };
  });
  expect(new Set(found.map((share) => JSON.stringify(share)))).toEqual(
    new Set(expected.map((share) => JSON.stringify(share))),
  );
});

test('When the share is just below half a cent, then no intermediate result rounds it up', async () => {
  const draw: Draw = { paid: 9_999_999_999_999_999_996_799n, currency: 'USD', quantity: 4_999, delivered: 2_500 };
  // The share ends in .0049989998 dollars. Rounded to 4 decimals first, it would be .0050.
  const kept = expectedKept(draw);
  expect(await shares([draw])).toEqual([{ kept: String(kept), due: String(draw.paid - kept) }]);
});

test('When an order debited nothing, then the refund is 0', async () => {
  const due = await sql.first(database)<{ due: string }>`
    SELECT refund_due(jsonb_populate_record(NULL::orders,
              '{"total_payable": 10, "deduction_currency": "USD", "quantity": 1, "delivered_quantity": 0}'))::text AS due`;
  expect(due).toEqual({ due: '0' });
});
