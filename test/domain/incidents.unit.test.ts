/** Which entries of the attention list are one incident. docs/operators/office.md#incidents. */
import type { AttentionKind } from '../../src/domain/attention/attention-kinds';
import { clientSentence, incidentsOf, type IncidentEntry } from '../../src/domain/attention/incidents';
import type { Family } from '../../src/domain/orders/families';

let id = 0;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 29, 12, minute));

/** An entry about an order, or about the whole supplier. */
const entry = (kind: AttentionKind, family: Family | null, supplier = 'reloadly', minute = 0): IncidentEntry => ({
  id: ++id,
  kind,
  supplier,
  family,
  since: at(minute),
});

/** The incidents as lines: supplier, family, cause, number of entries. */
const linesOf = (...entries: IncidentEntry[]) =>
  incidentsOf(entries).map(
    ({ supplier, family, cause, entries: own }) => `${supplier} ${family} ${cause} ${own.length}`,
  );

test('When a supplier blocks our account, then all its entries are one incident', () => {
  expect(
    linesOf(
      entry('SUPPLIER_BLOCKED', 'VOUCHER'),
      entry('SUPPLIER_BLOCKED', 'ESIM'),
      entry('ACCOUNT_BLOCKED', null),
      entry('PURCHASES_NOT_SENT', null),
    ),
  ).toEqual(['reloadly null BLOCKED 4']);
});

test('When no entry is about the whole supplier, then each family and cause is an incident of its own', () => {
  expect(
    linesOf(
      entry('SUPPLIER_BLOCKED', 'VOUCHER'),
      entry('SUPPLIER_BLOCKED', 'VOUCHER'),
      entry('SUPPLIER_BLOCKED', 'TOPUP'),
      entry('SUPPLIER_BLOCKED', 'TOPUP'),
      entry('PURCHASE_OVERDUE', 'TOPUP'),
      entry('PURCHASE_OVERDUE', 'TOPUP'),
    ),
  ).toEqual(['reloadly VOUCHER BLOCKED 2', 'reloadly TOPUP BLOCKED 2', 'reloadly TOPUP LATE 2']);
});

test('When suppliers differ, then their incidents do, the oldest first', () => {
  expect(linesOf(entry('SUPPLIER_DOWN', null, 'dtone', 9), entry('SUPPLIER_DOWN', null, 'airalo', 3))).toEqual([
    'airalo null DOWN 1',
    'dtone null DOWN 1',
  ]);
});

test('When a supplier is down and blocks nothing, then purchases that are not sent follow from that', () => {
  expect(
    linesOf(entry('SUPPLIER_DOWN', null), entry('PURCHASES_NOT_SENT', null), entry('ANSWER_LOST', 'ESIM')),
  ).toEqual(['reloadly null DOWN 3']);
});

test('When one order waits alone, then it is no incident', () => {
  expect(linesOf(entry('PURCHASE_OVERDUE', 'VOUCHER'))).toEqual([]);
});

test('When an incident is told to a client, then the sentence names no supplier and no account', () => {
  const [blocked] = incidentsOf([entry('ACCOUNT_BLOCKED', null), entry('SUPPLIER_BLOCKED', 'ESIM', 'reloadly', 5)]);
  const text = blocked && clientSentence(blocked);
  expect(text).toMatch(/^Orders are delayed by an outage since 2026-11-29T12:00:00\.000Z\. They stay open/);
  expect(text).not.toMatch(/reloadly|account|supplier/);
  const [late] = incidentsOf([entry('PURCHASE_OVERDUE', 'ESIM'), entry('PURCHASE_OVERDUE', 'ESIM')]);
  expect(late && clientSentence(late)).toMatch(/^Orders of eSIMs wait for the confirmation/);
});
