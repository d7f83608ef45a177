/** The ledger verification: no findings for a sound ledger, and findings of only one check for each damage. */
import { Transaction } from 'sequelize';
import { oneRow, rows, type Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { checkNames, recordVerification, verifyLedger, type Verification } from '../../../src/data/ledger-verification';
import { deleteOldEvents, rollUpEventCounts } from '../../../src/data/webhooks/events';
import { ensureDataKeys } from '../../../src/data/keys/data-keys';
import { loadKeyRing } from '../../../src/data/keys/loaded-keys';
import { sealCodes as sealVoucher } from '../../../src/data/orders/voucher-codes';
import { LocalKeyEncryption } from '../../../src/security/key-encryption';
import { esimField, orderField, Sealer } from '../../../src/security/sealing';
import { readSecretKeys } from '../../../src/security/key-encryption';
import { journalDigest } from '../../../src/statements/journal-csv';
import { ownSecretKeys, printedBy } from '../../support/operator';
import { copyOf, newDatabase, type ScratchDatabase } from '../../../dev/testbed/scratch-database';
import { soundLedger, type SoundLedger } from '../../support/sound-ledger';
import type { Json } from '../../support/stack';

let sound: ScratchDatabase;
/** A copy that no test changes. */
let common: ScratchDatabase;
let ledger: SoundLedger;
let sealer: Sealer;

/** Replaces the placeholders for sealed codes, which nothing can open. */
async function sealCodes(database: Database): Promise<void> {
  const stored = await sql(database)<{ order_id: number; unit: number }>`SELECT order_id, unit FROM vouchers`;
  for (const { order_id: orderId, unit } of stored) {
    const codes = { cardNumber: `CODE-${orderId}-${unit}`, claimUrl: `https://cards.example/${orderId}/${unit}` };
    await sql(database)`UPDATE vouchers
         SET sealed_codes = ${sealVoucher(sealer, { orderId, unit }, codes)}, code_hash = ${sealer.lookupHash(codes.cardNumber)}, claim_hash = ${sealer.lookupHash(codes.claimUrl)}
         WHERE order_id = ${orderId} AND unit = ${unit}`;
  }
  const esims = await sql(database)<{ id: number }>`SELECT order_id AS id FROM esim_orders
       WHERE iccid IS NOT NULL`;
  for (const { id } of esims) {
    const iccid = `8944${String(id).padStart(15, '0')}`;
    await rows(
      database,
      'UPDATE esim_orders SET iccid = $iccid, activation_code = $activationCode, iccid_hash = $hash WHERE order_id = $id',
      {
        id,
        iccid: sealer.seal(esimField(id, 'iccid'), iccid),
        activationCode: sealer.seal(esimField(id, 'activation_code'), `LPA:1$rsp.example$${id}`),
        hash: sealer.lookupHash(iccid),
      },
    );
  }
}

beforeAll(async () => {
  sound = await newDatabase();
  ledger = await soundLedger(sound.database);
  const encryption = new LocalKeyEncryption(readSecretKeys(ownSecretKeys));
  await ensureDataKeys(sound.database, encryption);
  sealer = new Sealer(await loadKeyRing(sound.database, encryption));
  await sealCodes(sound.database);
  const { findings, counted } = await verifyLedger(sound.database, 10, { sealer });
  expect({ findings, orders: counted['orders'] }).toEqual({ findings: [], orders: 16 });
  await sound.database.close();
  common = await copyOf(sound);
});
afterAll(async () => {
  await common.drop();
  await sound.drop();
});

/** Switches off the protection of the history. */
const unprotected = [
  'ALTER TABLE transactions DISABLE TRIGGER transactions_keep_history',
  ...['orders', 'events'].map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
];

/** Runs the work on a copy that the statements have damaged. The copy does not protect its history. */
async function damaged<T>(statements: string[], work: (copy: ScratchDatabase) => Promise<T>): Promise<T> {
  const copy = await copyOf(sound);
  try {
    for (const statement of [...unprotected, ...statements]) await rows(copy.database, statement);
    return await work(copy);
  } finally {
    await copy.drop();
  }
}

/** Verifies the ledger after the statements, in a transaction that is then rolled back: a copy would take a second. */
async function verifiedAfter(
  statements: string[],
  options?: Parameters<typeof verifyLedger>[2],
): Promise<Verification> {
  const { database } = common;
  const transaction = await database.transaction({ isolationLevel: Transaction.ISOLATION_LEVELS.REPEATABLE_READ });
  const inside = jest
    .spyOn(database, 'transaction')
    .mockImplementation(((_options: object, work: (own: Transaction) => Promise<unknown>) =>
      work(transaction)) as Database['transaction']);
  try {
    for (const statement of [...unprotected, ...statements]) await rows(database, statement, {}, transaction);
    return await verifyLedger(database, 10, options);
  } finally {
    inside.mockRestore();
    await transaction.rollback();
  }
}

test('When the nightly verification has findings, then the attention list shows their number until it has none', async () => {
  const listed = ({ database }: ScratchDatabase) =>
    sql(database)<{ kind: string; reason: string }>`SELECT kind, reason, findings
         FROM attention, ledger_verifications
        WHERE kind = 'LEDGER_UNSOUND' AND cleared_at IS NULL`;
  await damaged(
    [`UPDATE wallets SET entry_count = entry_count + 1 WHERE id = ${ledger.holder.walletId}`],
    async (copy) => {
      await recordVerification(copy.database, await verifyLedger(copy.database, 1));
      expect(await listed(copy)).toEqual([
        {
          kind: 'LEDGER_UNSOUND',
          findings: 1,
          reason: expect.stringMatching(
            `^The ledger does not add up \\(wallet-entry-count 1\\)\\. The first finding: wallet ${ledger.holder.walletId} counts`,
          ),
        },
      ]);
      await sql(copy.database)`UPDATE wallets SET entry_count = entry_count - 1
           WHERE id = ${ledger.holder.walletId}`;
      await recordVerification(copy.database, await verifyLedger(copy.database, 1));
      expect(await listed(copy)).toEqual([]);
      expect(await sql(copy.database)`SELECT findings FROM ledger_verifications`).toEqual([{ findings: 0 }]);
    },
  );
});

/**
 * Damages to the ledger, as SQL with the ids of a sound ledger. A name begins with the check that must find the damage, and with the
 * checks that the damage cannot avoid.
 */
const damages: Readonly<Record<string, string>> = {
  'wallet-balance: a balance is raised': `UPDATE wallets SET balance = balance + 1 WHERE id = $wallet`,
  'wallet-entry-count: a wallet miscounts its entries': `UPDATE wallets SET entry_count = entry_count + 1 WHERE id = $wallet`,
  'wallet-credit-limit: a credit limit has no history': `
    ALTER TABLE wallets DISABLE TRIGGER USER;
    UPDATE wallets SET credit_limit = 5 WHERE id = $wallet`,
  'entry-credit-limit: a debit exceeds the limit that stood at its number': `
    UPDATE wallets SET credit_limit = 5000 WHERE id = $wallet;
    SELECT FROM post_entry($wallet, 'ADJUSTMENT', 'DEBIT', 4000, NULL, 'debt', 'Test', NULL, NULL, NULL, NULL);
    UPDATE wallets SET credit_limit = 4900 WHERE id = $wallet;
    UPDATE credit_limits SET credit_limit = 10 WHERE credit_limit = 5000`,
  'entry-sequence: a number is left out': `
    UPDATE transactions SET sequence = sequence + 1 WHERE wallet_id = $wallet AND sequence = (SELECT max(sequence) FROM transactions WHERE wallet_id = $wallet);
    UPDATE wallets SET entry_count = entry_count + 1 WHERE id = $wallet`,
  'entry-balance-after: the balance after an entry is changed': `UPDATE transactions SET balance_after = balance_after + 1 WHERE wallet_id = $wallet AND sequence = 3`,
  'entry-amount: an entry has more decimals than its currency': `
    UPDATE transactions SET amount = amount - 0.001, balance_after = balance_after - 0.001
      WHERE wallet_id = $otherWallet AND kind = 'ADJUSTMENT';
    UPDATE transactions SET balance_after = balance_after - 0.001 WHERE wallet_id = $otherWallet AND kind <> 'ADJUSTMENT';
    UPDATE wallets SET balance = balance - 0.001 WHERE id = $otherWallet;
    UPDATE events SET data = data || '{"amount": "99.999"}' WHERE data ->> 'wallet_id' = '$otherWallet' AND type = 'wallet.credited'`,
  'entry-wallet: an entry has another client': `
    UPDATE transactions SET client_id = $otherClient WHERE wallet_id = $wallet AND sequence = 1;
    UPDATE events SET client_id = $otherClient WHERE data ->> 'ledger_id' = (SELECT id::text FROM transactions WHERE wallet_id = $wallet AND sequence = 1);
    DELETE FROM webhook_deliveries WHERE event_sequence = (SELECT min(sequence) FROM events)`,
  'entry-kind: a debit has the kind FUNDING': `UPDATE transactions SET kind = 'FUNDING' WHERE wallet_id = $wallet AND sequence = 2`,
  'entry-kind, conversion-pair, entry-audit: a conversion becomes a funding': `UPDATE transactions SET kind = 'FUNDING' WHERE kind = 'CONVERSION' AND transaction_type = 'CREDIT'`,
  'conversion-pair: a conversion credits another amount': `
    ALTER TABLE conversions DISABLE TRIGGER USER;
    UPDATE conversions SET forex_rate = 0.93, converted_amount = 27.9`,
  'conversion-amount, conversion-pair: the rate of a conversion is changed': `
    ALTER TABLE conversions DISABLE TRIGGER USER;
    UPDATE conversions SET forex_rate = 0.93`,
  'bank-booking-credited-twice: two bookings with one bank reference are credited': `
    WITH file AS (INSERT INTO bank_files (name, account, format, imported_by) VALUES ('a', 'b', 'csv', 'alice') RETURNING id),
         booking AS (INSERT INTO bank_bookings (file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, reference_hash)
                     SELECT id, nonce, 'b', '2026-11-26', 'CREDIT', false, 1, 'USD', 'same' FROM file, unnest(ARRAY['m', 'n']) AS nonce
                     RETURNING *)
    INSERT INTO bank_entries (file_id, booking_id, nonce, account, booked_on, direction, is_reversal, amount, currency, refs, state, ended_at, transaction_id)
    SELECT file_id, id, nonce, account, booked_on, direction, is_reversal, amount, currency, '{}', 'CREDITED', now(),
           (SELECT CASE nonce WHEN 'm' THEN min(id) ELSE max(id) END FROM transactions) FROM booking`,
  'entry-conversion: a conversion is removed': `
    ALTER TABLE conversions DISABLE TRIGGER USER;
    DELETE FROM conversions`,
  'entry-order, daily-orders: the order of a debit is deleted': `
    DELETE FROM order_counts WHERE ctid = (SELECT min(ctid) FROM order_counts WHERE status = 'PENDING' AND family = 'VOUCHER' AND change = 1);
    DELETE FROM supplier_purchases WHERE order_id = $pending;
    DELETE FROM order_reservations WHERE order_id = $pending;
    UPDATE events SET order_id = NULL WHERE order_id = $pending;
    DELETE FROM orders WHERE id = $pending`,
  'debit-order, daily-orders, report-ledger: the price of an order differs from its debit': `
    UPDATE orders SET total_payable = total_payable - 1, discount = discount + 1 WHERE id = $redeemed AND wallet_id = $wallet;
    UPDATE order_reservations SET total_payable = total_payable - 1 WHERE order_id = $redeemed`,
  'order-wallet, daily-orders: an order names another currency than its wallet': `UPDATE orders SET base_currency = 'EUR', deduction_currency = 'EUR' WHERE id = $pending`,
  'order-price: the face value of a unit is changed': `UPDATE orders SET unit_amount = unit_amount + 1 WHERE id = $delivered`,
  'order-price: the discount of an order is changed': `UPDATE orders SET discount = discount + 1 WHERE id = $delivered`,
  'order-price, entry-rate: the rate of a converted order is changed': `UPDATE orders SET base_currency = 'EUR', forex_rate = 1.5 WHERE id = $delivered`,
  'order-rate: an order of one currency has a rate': `
    UPDATE orders SET forex_rate = 1 WHERE id = $delivered;
    UPDATE transactions SET forex_rate = 1, source_currency = 'USD', destination_currency = 'USD' WHERE order_id = $delivered`,
  'entry-rate: the debit of an order has a rate that the order has not': `UPDATE transactions SET forex_rate = 1 WHERE order_id = $delivered`,
  'purchase-source: a purchase is from a supplier that is no source of its order': `UPDATE supplier_purchases SET supplier = 'another' WHERE order_id = $delivered AND batch = 1`,
  'order-reservation: the reservation of a placed order is deleted': `DELETE FROM order_reservations WHERE order_id = $pending`,
  'entry-time: an entry is older than the one before': `UPDATE transactions SET created_at = created_at - interval '1 hour' WHERE wallet_id = $wallet AND sequence = (SELECT max(sequence) FROM transactions WHERE wallet_id = $wallet)`,
  'entry-audit: a funding has no audit entry': `
    ALTER TABLE audit_entries DISABLE TRIGGER USER;
    DELETE FROM audit_entries WHERE object = (SELECT 'transaction/' || id FROM transactions WHERE wallet_id = $wallet AND sequence = 1)`,
  'daily-orders: a daily count is changed': `UPDATE daily_orders SET ordered = ordered - 1 WHERE client_id = $client AND family = 'VOUCHER'`,
  'daily-orders: the debits of a day are missing': `DELETE FROM daily_orders WHERE client_id = $client AND family = 'ESIM'`,
  'purchase-replaced: a replaced purchase has stored units': `
    INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why, state, because, stored)
      SELECT reference || '-x', order_id, 99, first_unit, units, source_id, supplier, sku, why, 'REPLACED', 'refused', 1
      FROM supplier_purchases WHERE order_id = $partial AND batch = 1`,
  'quarantine-listed: quarantined goods are on no list': `
    INSERT INTO quarantined_goods (order_id, reference, position, reason, sealed)
      SELECT order_id, reference, 1, 'LATE', 'sealed' FROM supplier_purchases WHERE order_id = $cancelled LIMIT 1`,
  'order-debit, daily-orders: an order was not debited and has no reason for it': `UPDATE orders SET failure_code = 'UNKNOWN' WHERE id = $capped`,
  'refund-amount: a refund is neither listed nor credited': `DELETE FROM attention WHERE kind = 'REFUND_DUE'`,
  'refund-amount, daily-orders, report-ledger: delivered units were also refunded': `
    UPDATE orders SET delivered_quantity = 2 WHERE id = $failed;
    INSERT INTO vouchers (order_id, unit, sealed_codes, code_hash) VALUES ($failed, 2, 'sealed', 'hash');
    UPDATE supplier_purchases SET stored = 1 WHERE order_id = $failed AND batch = 2`,
  'refund-listed: a credited refund is listed as due': `INSERT INTO attention (kind, order_id, reason) VALUES ('REFUND_DUE', $cancelled, 'x')`,
  'refund-entry: a credited refund has another amount than its entry': `UPDATE order_refunds SET amount = 6 WHERE order_id = $refundedTwice AND number = 2`,
  'refund-event: the event of a refund is missing': `DELETE FROM events WHERE order_id = $refunded AND type = 'order.refunded'`,
  'refund-waiting: a refund that waits is not listed': `DELETE FROM attention WHERE kind = 'REFUND_AFTER_DUE'`,
  'refund-limit: a refund takes more than the order kept': `UPDATE order_refunds SET units = NULL, amount = 20.01 WHERE order_id = $waiting`,
  'claim-refund: a claim has the outcome of a refund that is not its own': `UPDATE order_refunds SET reference = 'T-9' WHERE reference = 'claim-$claim'`,
  'claim-replacement: a claim names another order as its replacement': `
    UPDATE claims SET replacement_order_id = $delivered WHERE replacement_order_id = $replacement;
    -- The client was notified of no change to the wrong name.
    DELETE FROM events WHERE type = 'claim.updated' AND sequence = (SELECT max(sequence) FROM events);
    UPDATE claims SET changes = changes - 1 WHERE replacement_order_id = $delivered`,
  'claim-credit: the credit of a claim is not the last one that was recorded': `
    ALTER TABLE claims DISABLE TRIGGER keep_supplier_credit;
    UPDATE claims SET supplier_credit = 2, supplier_credit_value = 2 WHERE id = $claim`,
  'claim-credit: a replaced credit is forgotten': `DELETE FROM supplier_credits WHERE credit = 2`,
  'claim-event: a change of a claim has no event': `DELETE FROM events WHERE type = 'claim.updated'`,
  'order-sums: the sums of a day differ from its orders': `
    SELECT roll_up_order_sums(interval '0');
    UPDATE order_sums SET cost = cost + 1 WHERE ctid = (SELECT min(ctid) FROM order_sums)`,
  'book-lines: a closed month lacks a line': `
    INSERT INTO book_months (month, closed_by, accepted, lines, sha256) VALUES ('2025-01-01', 'ann', 0, 1, 'hash')`,
  'book-opening: a month does not begin as the one before ended': `
    INSERT INTO book_months (month, closed_by, accepted, lines, sha256)
      VALUES ('2025-01-01', 'ann', 0, 1, 'hash'), ('2025-02-01', 'ann', 0, 1, 'hash');
    INSERT INTO book_lines (month, line, section, of_month, kind, client_id, currency, opening, closing, amount)
      VALUES ('2025-01-01', 1, 'MONTH', '2025-01-01', 'IN_PROGRESS', $client, 'USD', 0, 5, 5),
             ('2025-02-01', 1, 'MONTH', '2025-02-01', 'IN_PROGRESS', $client, 'USD', 4, 4, 0)`,
  'book-balance: a closed month leaves out what was posted': `
    INSERT INTO book_months (month, closed_by, accepted, lines, sha256)
      VALUES (date_trunc('month', now() AT TIME ZONE 'UTC'), 'ann', 0, 0, 'hash')`,
  'report-ledger: the reports count refunded units as sold': `CREATE OR REPLACE FUNCTION kept_debit(o orders) RETURNS numeric LANGUAGE sql STABLE AS 'SELECT o.total_payable'`,
  'refund-count: an order miscounts its refunds': `UPDATE orders SET refund_count = 2 WHERE id = $refunded`,
  'refund-units: a refunded unit gave less than its share': `UPDATE order_refunds SET amount = 9.99 WHERE order_id = $waiting`,
  'unit-value: a unit is refunded whole and by an amount': `UPDATE order_refunds SET for_unit = 1 WHERE order_id = $refundedTwice`,
  'refund-code: a gift card is void that was not refunded': `UPDATE vouchers SET voided_at = now() WHERE order_id = $delivered AND unit = 3`,
  'redemption-credit: the voucher that paid is no longer marked': `UPDATE vouchers SET redeemed_at = NULL, redeemed_by_order_id = NULL WHERE order_id = $houseBrand`,
  'redemption-credit: a second voucher is marked for the same order': `UPDATE vouchers SET redeemed_at = now(), redeemed_by_order_id = $redeemed WHERE order_id = $delivered AND unit = 1`,
  'redemption-voucher: the voucher that paid had expired': `UPDATE vouchers SET expires_at = redeemed_at - interval '1 day' WHERE order_id = $houseBrand`,
  'redemption-voucher, order-price: the voucher that paid had been sold at a discount': `UPDATE orders SET discount = 20 WHERE id = $houseBrand`,
  'order-detail: a top-up order has no top-up row': `DELETE FROM topup_orders WHERE order_id = $cancelled`,
  'order-state: an ended order has no completion time': `
    ALTER TABLE orders DROP CONSTRAINT orders_check2;
    UPDATE orders SET completed_at = NULL WHERE id = $failed`,
  'delivered-quantity: a delivered voucher is deleted': `DELETE FROM vouchers WHERE order_id = $delivered AND unit = 3`,
  'delivered-quantity: a failed order shows a refunded voucher': `INSERT INTO vouchers (order_id, unit, sealed_codes, code_hash) VALUES ($failed, 2, 'sealed', 'hash')`,
  'delivered-quantity: a delivered eSIM has no activation code': `UPDATE esim_orders SET activation_code = NULL WHERE order_id = $freshEsim`,
  'voucher-unit: a voucher exceeds the ordered quantity': `UPDATE vouchers SET unit = 4 WHERE order_id = $delivered AND unit = 3`,
  'voucher-unit: a voucher has no order': `INSERT INTO vouchers (order_id, unit, sealed_codes, code_hash) VALUES (999999, 1, 'sealed', 'hash')`,
  'voucher-code: a voucher has neither code nor claim URL': `UPDATE vouchers SET code_hash = NULL, claim_hash = NULL WHERE order_id = $delivered AND unit = 3`,
  'voucher-mark: a voucher was redeemed without an order': `UPDATE vouchers SET redeemed_at = now() WHERE order_id = $delivered AND unit = 3`,
  'shared-code: two vouchers have the same code': `
    DROP INDEX vouchers_by_code;
    UPDATE vouchers SET code_hash = 'same' WHERE order_id IN ($delivered, $failed) AND unit = 1`,
  'shared-code: two eSIMs have the same ICCID': `
    ALTER TABLE esim_orders DROP CONSTRAINT esim_orders_iccid_hash_key;
    UPDATE esim_orders SET iccid_hash = 'same' WHERE order_id IN ($esim, $freshEsim)`,
  'purchase-open: a purchase of an ended order is open': `UPDATE supplier_purchases SET state = 'PENDING' WHERE order_id = $cancelled`,
  'purchase-units: units are bought twice': `UPDATE supplier_purchases SET first_unit = 2 WHERE order_id = $delivered AND batch = 2`,
  'purchase-units: a unit has no purchase': `DELETE FROM supplier_purchases WHERE order_id = $partial AND batch = 3`,
  'purchase-stored: a purchase has more stored units than were delivered': `UPDATE supplier_purchases SET stored = 1 WHERE order_id = $failed AND batch = 3`,
  'order-event: the event of an ended order is missing': `
    DELETE FROM webhook_deliveries d USING events e WHERE e.sequence = d.event_sequence AND e.order_id = $esim AND type = 'esim.delivered';
    DELETE FROM events WHERE order_id = $esim AND type = 'esim.delivered'`,
  'order-event: an ended order has two events': `
    DROP INDEX events_once_per_change;
    INSERT INTO events (client_id, order_id, type, data) SELECT client_id, order_id, type, data FROM events WHERE order_id = $failed AND type = 'order.failed'`,
  'order-event: the event of a partial delivery is missing': `
    DELETE FROM webhook_deliveries d USING events e WHERE e.sequence = d.event_sequence AND e.order_id = $partial AND type LIKE 'order.%';
    DELETE FROM events WHERE order_id = $partial AND type LIKE 'order.%'`,
  'order-event: an open order has a delivery event': `INSERT INTO events (client_id, order_id, type, data) VALUES ($client, $pending, 'order.delivered', '{}')`,
  'esim-event: the event of an installation is missing': `UPDATE events SET type = 'esim.other' WHERE order_id = $esim AND type = 'esim.installed'`,
  'esim-event: an unused eSIM has a depletion event': `INSERT INTO events (client_id, order_id, type, data) VALUES ($client, $freshEsim, 'esim.depleted', '{}')`,
  'esim-event: an eSIM without used data has a usage event': `INSERT INTO events (client_id, order_id, type, data) VALUES ($client, $esim, 'esim.usage', '{"threshold_percent": 80}')`,
  'esim-status: an installed eSIM has the status NOT_INSTALLED': `UPDATE esim_orders SET activation_status = 'NOT_INSTALLED' WHERE order_id = $esim`,
  'wallet-event: the event of a debit has another amount': `UPDATE events SET data = data || '{"amount": "11.00"}' WHERE order_id = $pending`,
  'wallet-event: the event of an entry is missing': `UPDATE events SET type = 'wallet.other' WHERE client_id = $otherClient AND type = 'wallet.debited' AND order_id <> $capped`,
  'wallet-event: an event reports an entry that was never posted': `INSERT INTO events (client_id, type, data) VALUES ($client, 'wallet.credited', '{"ledger_id": 99999, "amount": "1.00"}')`,
  'event-order: an event of an order is sent to another client': `UPDATE events SET client_id = $client WHERE order_id = $capped`,
  'delivery-event: a delivery has no event': `INSERT INTO webhook_deliveries (endpoint_id, event_sequence) SELECT id, 99999 FROM webhook_endpoints WHERE client_id = $client`,
  'order-count: an order is not counted': `DELETE FROM order_counts WHERE ctid = (SELECT min(ctid) FROM order_counts)`,
  'reservation-order: an abandoned order request has an order': `UPDATE order_reservations SET state = 'ABANDONED' WHERE order_id = $pending`,
};

/** The statements of a damage, with the ids of the ledger. */
function statementsOf(damage: string): string[] {
  const { holder, other, ...orders } = ledger;
  const ids: Readonly<Record<string, number>> = {
    ...orders,
    wallet: holder.walletId,
    client: holder.clientId,
    otherWallet: other.walletId,
    otherClient: other.clientId,
  };
  return damage.replaceAll(/\$(\w+)/g, (_, name: string) => String(ids[name])).split(';');
}

test.each(Object.entries(damages))('When a damage concerns %s, then only this check finds it', async (name, damage) => {
  const [check, ...also] = (name.split(':')[0] ?? '').split(', ');
  const found = (await verifiedAfter(statementsOf(damage))).findings.map((finding) => finding.check);
  expect(found).toContain(check);
  expect(found.filter((each) => each !== check && !also.includes(each))).toEqual([]);
});

/** Found by what SQL cannot compute: opened codes, and the journals of closed months. */
const computedDamages: Readonly<Record<string, string>> = {
  'sealed-code: the codes of a voucher are those of another one': `
    UPDATE vouchers SET sealed_codes = (SELECT sealed_codes FROM vouchers WHERE order_id = $delivered AND unit = 1)
      WHERE order_id = $delivered AND unit = 2`,
  'sealed-code: an ICCID cannot be opened': `UPDATE esim_orders SET iccid = 'sealed' WHERE order_id = $esim`,
  'code-hash: a voucher has the hash of another code': `UPDATE vouchers SET code_hash = 'another' WHERE order_id = $delivered AND unit = 2`,
  'code-hash: a voucher lacks the hash of its claim URL': `UPDATE vouchers SET claim_hash = NULL WHERE order_id = $delivered AND unit = 2`,
  'book-journal: a closed month has another journal than when it was closed': `
    INSERT INTO book_months (month, closed_by, accepted, lines, sha256) VALUES ('2025-01-01', 'ann', 0, 0, 'hash')`,
};

test.each(Object.entries(computedDamages))(
  'When a damage concerns %s, then only this check finds it, without its value',
  async (name, damage) => {
    const { findings, totals } = await verifiedAfter(statementsOf(damage), { sealer, digestOf: journalDigest });
    expect(totals).toEqual(new Map([[name.split(':')[0], 1]]));
    expect(JSON.stringify(findings)).not.toMatch(/CODE-|cards\.example|8944/);
  },
);

test("When goods are an operator's, or could not be read, then they need no hash of a code", async () => {
  await damaged([], async ({ database }) => {
    const { id, nonce } = await oneRow<{ id: number; nonce: string }>(
      database,
      `SELECT id, nonce FROM orders WHERE id = ${ledger.delivered}`,
    );
    for (const [reason, goods] of [
      ['OPERATOR', [{ kind: 'voucher', cardNumber: 'CODE-9' }]],
      ['UNREADABLE', { number: 9 }],
    ] as const) {
      const sealed = sealer.seal(orderField(nonce, 'goods'), JSON.stringify(goods));
      await sql(database)`INSERT INTO quarantined_goods (order_id, reason, sealed)
           VALUES (${id}, ${reason}, ${sealed})`;
    }
    expect((await verifyLedger(database, 10, { sealer })).findings).toEqual([]);
  });
});

test('When the verification has a check, then these tests have a damage for it', () => {
  const checks = Object.keys({ ...damages, ...computedDamages }).map((name) => name.split(/[,:]/)[0]);
  expect([...new Set(checks)].sort()).toEqual([...checkNames].sort());
});

describe('deleted events', () => {
  const fund = (reference: string) =>
    `SELECT FROM post_entry(${ledger.holder.walletId}, 'FUNDING', 'CREDIT', 5, NULL, '${reference}', 'x', NULL, NULL, NULL, NULL)`;
  /** Moves every change and its event into the past. */
  const past = (time: string) => [
    `UPDATE transactions SET created_at = created_at - interval '${time}'`,
    `UPDATE orders SET placed_at = placed_at - interval '${time}', completed_at = completed_at - interval '${time}'`,
    `UPDATE esim_orders SET installed_at = installed_at - interval '${time}', activated_at = activated_at - interval '${time}'`,
    `UPDATE claims SET created_at = created_at - interval '${time}'`,
    `UPDATE events SET created_at = created_at - interval '${time}'`,
    // The counts of earlier days are deleted.
    'DELETE FROM daily_orders',
  ];

  async function deleteEvents(database: Database, days: number): Promise<number> {
    await rollUpEventCounts(database, 0);
    while ((await deleteOldEvents(database, days, 1_000)) > 0);
    return (await sql.one(database)<{ left: number }>`SELECT count(*) AS left FROM events`).left;
  }

  test.each<[string, () => string[], days: number, left: number]>([
    ['the oldest events', () => [...past('100 days'), fund('new')], 90, 1],
    ['only those of the first hours', () => [...past('12 hours'), fund('later'), ...past('89.6 days')], 90, 1],
    ['every event', () => past('2 days'), 1, 0],
  ])('When retention has deleted %s, then the verification has no finding', async (_, before, days, left) => {
    await damaged(before(), async ({ database }) => {
      expect(await deleteEvents(database, days)).toBe(left);
      expect((await verifyLedger(database, 10)).findings).toEqual([]);
    });
  });

  test('When an event is missing that is newer than the deleted ones, then the verification finds it', async () => {
    await damaged([...past('100 days'), fund('new')], async ({ database }) => {
      await deleteEvents(database, 90);
      await sql(database)`DELETE FROM webhook_deliveries`;
      await sql(database)`DELETE FROM events`;
      const { findings } = await verifyLedger(database, 10);
      expect(findings.map(({ check }) => check)).toEqual(['wallet-event']);
    });
  });
});

describe('ledger verify', () => {
  // The command sets the exit code of its process, which is the process of the tests.
  const exitCode = process.exitCode;
  beforeEach(() => jest.spyOn(console, 'error').mockImplementation());
  afterEach(() => {
    process.exitCode = exitCode;
    jest.restoreAllMocks();
  });
  const raise = 'UPDATE wallets SET balance = balance + 1';

  test('When everything adds up, then the command prints the counts, or an empty array as JSON', async () => {
    await damaged([], async ({ url }) => {
      expect(await printedBy(url, 'ledger', 'verify')).toMatch(
        /^Everything adds up: 4 wallets, \d+ entries, 16 orders/,
      );
      expect(await printedBy(url, '--json', 'ledger', 'verify')).toBe('[]');
      expect(process.exitCode).toBe(exitCode);
    });
  });

  test('When rows are damaged, then each is printed up to the limit, the others are counted, and the exit code is 1', async () => {
    await damaged([raise], async ({ url }) => {
      const table = await printedBy(url, 'ledger', 'verify');
      expect(table).toMatch(
        /^check +subject +detail\nwallet-balance +wallet 1 +holds [\d.]+ USD, its entries add up to/,
      );
      expect(process.exitCode).toBe(1);
      const found = JSON.parse(await printedBy(url, '--json', 'ledger', 'verify', '--limit', 1)) as Json[];
      expect(found).toEqual([
        { check: 'wallet-balance', subject: 'wallet 1', detail: expect.stringMatching(/^holds/) },
        { check: 'wallet-balance', subject: '3 more', detail: expect.any(String) },
      ]);
    });
  });
});
