/**
 * Checks that no booking of a bank is credited twice: two credited bookings with one bank reference, direction and day are in one statement,
 * in statements whose balances continue, or a person said that they are two. docs/decisions/0089-credit-one-booking-once.md.
 */
import type { Scan } from './scan';

// Does not call the functions that decide credits, so that an error in them is found.
const continues = (first: string, next: string) => `
  coalesce((${next}.number = ${first}.number + 1
            OR ${next}.page = ${first}.page + 1 AND ${next}.number IS NOT DISTINCT FROM ${first}.number
               AND (${first}.number IS NOT NULL OR ${first}.bank_id <> '' AND ${next}.bank_id = ${first}.bank_id))
           AND (${first}.closing_amount, ${first}.closing_currency) = (${next}.opening_amount, ${next}.opening_currency)
           AND (${first}.closing_amount, ${first}.closing_currency) <> (${first}.opening_amount, ${first}.opening_currency), false)`;

const creditedBookings: Scan = {
  subject: 'bank booking',
  rows: `
    WITH credited AS (
      SELECT booking.*, (SELECT min(id) FROM bank_entries WHERE booking_id = booking.id AND state = 'CREDITED') AS entry
        FROM bank_bookings booking
       WHERE EXISTS (SELECT FROM bank_entries WHERE booking_id = booking.id AND state = 'CREDITED')
    )
    SELECT later.id, later.entry, earlier.entry AS earlier_entry,
           EXISTS (SELECT FROM bank_words WHERE (booking_id, other_id) IN ((later.id, earlier.id), (earlier.id, later.id))) AS is_said,
           coalesce(stood.are_together, false) AS are_together, coalesce(stood.are_apart, false) AS are_apart
      FROM credited earlier
      JOIN credited later ON later.reference_hash = earlier.reference_hash AND later.direction = earlier.direction
                         AND later.booked_on = earlier.booked_on AND later.id > earlier.id
      LEFT JOIN LATERAL (
        SELECT bool_or(mine.id = its.id) AS are_together, bool_and(${continues('mine', 'its')} OR ${continues('its', 'mine')}) AS are_apart
          FROM bank_statement_bookings of_later JOIN bank_statements mine ON mine.id = of_later.statement_id
         CROSS JOIN bank_statement_bookings of_earlier JOIN bank_statements its ON its.id = of_earlier.statement_id
         WHERE of_later.booking_id = later.id AND of_earlier.booking_id = earlier.id) stood ON true`,
  checks: {
    'bank-booking-credited-twice': {
      wrong: 'NOT (is_said OR are_together OR are_apart)',
      says: `format('has the bank reference and the day of another one: entries %s and %s are credited', earlier_entry, entry)`,
    },
  },
};

export const bankBookingScans = [creditedBookings];
