/**
 * Which credited entry of a bank another one takes back.
 * Rule: which credit an entry of a bank may take back
 */

/** SQL: the entry may be what `entry` takes back, by account, currency and day. */
const ofReversed = `account = entry.account AND currency = entry.currency AND booked_on <= entry.booked_on`;

/** SQL: `entry` is a part of a credit with `RvslInd`. `RD` of MT940 says that it undoes a debit, and `RtrInf` that a payment of ours came back. */
const isReversedCredit = `EXISTS (
  SELECT FROM bank_bookings booking JOIN bank_files file ON file.id = booking.file_id
   WHERE booking.id = entry.booking_id AND booking.is_reversal AND file.format = 'camt053')`;

/**
 * SQL: the credited entry that `entry` may take back, if nothing has taken it back: one with a reference of it, first of equal amount, then
 * the newest; or if it has no reference, the only credited entry of the account with its amount. `entry` is a debit, or as some banks write
 * it in camt.053, a reversed credit.
 */
export const reversedEntry = `
  SELECT credited.id FROM (
    (SELECT id, 1 AS count FROM bank_entries one
      WHERE state = 'CREDITED' AND refs && entry.refs AND ${ofReversed}
        AND NOT EXISTS (SELECT FROM bank_entries WHERE takes_back_id = one.id)
      ORDER BY amount = entry.amount DESC, id DESC LIMIT 1)
    UNION ALL
    (SELECT min(id), count(*) FROM (
       SELECT id FROM bank_entries
        WHERE state = 'CREDITED' AND entry.refs = '{}' AND amount = entry.amount AND ${ofReversed} LIMIT 2) equal)) credited
   WHERE credited.count = 1 AND entry.state IN ('WAITING', 'IGNORED')
     AND NOT EXISTS (SELECT FROM bank_entries WHERE takes_back_id = credited.id)
     AND (entry.direction = 'DEBIT' OR ${isReversedCredit})`;
