/**
 * The adapter of Reloadly: gift cards, top-ups of phones, and bills, each with its own host, token and form of transactions.
 * Reloadly rejects a repeated reference and finds transactions by it.
 */
import { safeText } from '../../domain/safe-text';
import { day, minute } from '../../domain/time';
import { json } from '../kit/exchange';
import {
  allPages,
  MAX_PAGE_BYTES,
  MAX_STATUS_BYTES,
  maxPurchaseBytes,
  withoutRepeats,
  type SupplierPage,
} from '../kit/limits';
import { noSuchProduct } from '../kit/reports';
import type { SharedState } from '../../domain/suppliers/shared-state';
import type {
  PurchaseReport,
  PurchaseRequest,
  ReceivedPush,
  SoldPurchase,
  Supplier,
  SupplierTraits,
} from '../../domain/suppliers/port';
import { isSupplierError } from '../../domain/suppliers/supplier-errors';
import { catalogue } from './catalogue';
import { toRejection } from './error-codes';
import { connect, type Connections, type ProductLine, type ReloadlyOptions } from './connections';
import { listings, Lookups, PAGE_SIZE } from './lookups';
import { readBalances, readPage, readPush } from './messages';
import { orderOf, type Order } from './orders';
import { readAccepted, readGift, readPayment, toReport, toStatementRows, type Transaction } from './transactions';
import { namesOf } from '../../domain/records';

/** Enough for a hundred thousand transactions. */
const MAX_PAGES = 2_000;

const traits: SupplierTraits = {
  // Reloadly rejects a repeated reference only once the first request has ended: it does not check concurrent requests. The
  // service sends the requests of one purchase one after the other.
  repeatedReference: 'is-rejected',
  lookup: 'by-reference',
  // A request may run for a minute. Reloadly does not say whether the report shows a top-up that is not finished.
  lookupConclusiveAfterMs: 5 * minute,
  // Reloadly does not say whether a part of an order can fail.
  maxUnits: 1,
  concurrency: 'unlimited',
  pushesEsims: false,
};

/** The supplier port over Reloadly's three APIs. Processes share one token for each of them. */
export function createReloadlySupplier(options: ReloadlyOptions, state: SharedState): Supplier {
  const { webhookSecret } = options;
  const connections = connect(options, state);
  const lookups = new Lookups(connections);
  return {
    name: 'reloadly',
    traits,
    purchase: (request, mayBeSent) => purchase(connections, lookups, request, mayBeSent),
    find: (lookup) => lookups.find(lookup),
    // All three products draw on one balance.
    balances: () =>
      connections.giftcards.read({
        path: safeText`/accounts/balance`,
        maxBytes: MAX_STATUS_BYTES,
        parse: readBalances,
      }),
    catalogue: () => catalogue(connections),
    statement: (since) => statement(connections, since),
    ...(webhookSecret !== undefined && { verifyPush: (push: ReceivedPush) => readPush(webhookSecret, push) }),
  };
}

async function purchase(
  connections: Connections,
  lookups: Lookups,
  request: PurchaseRequest,
  mayBeSent: () => boolean,
): Promise<PurchaseReport> {
  const { reference, sku, units } = request;
  const order = orderOf(request);
  if (!order) return noSuchProduct(NO_SUCH_PRODUCT);
  const { line, path, body } = order;
  const report = await connections[line].buy({
    reference,
    mayBeSent,
    path,
    body: json(body),
    maxBytes: maxPurchaseBytes(units),
    parse: (answer) => {
      const transaction = accepted[line](answer, reference);
      return transaction?.reference === reference ? toReport(transaction, sku) : undefined;
    },
    rejectionOf: (code) => toRejection(code),
  });
  return withGoods(lookups, order, report);
}

const NO_SUCH_PRODUCT = safeText`The SKU, the amount and the input of the order name no product of Reloadly`;

/** The readers of answers to purchases. */
const accepted: Readonly<Record<ProductLine, (body: unknown, reference: string) => Transaction | undefined>> = {
  giftcards: readGift,
  topups: readAccepted,
  utilities: readPayment,
};

/** The report with its goods, or PENDING if they cannot be read now. Throws no supplier error, because the purchase is made. */
async function withGoods(lookups: Lookups, { line }: Order, report: PurchaseReport): Promise<PurchaseReport> {
  if (report.state !== 'DELIVERED') return report;
  const unfinished: PurchaseReport = { ...report, state: 'PENDING', goods: [] };
  // The response to a payment has no details.
  if (line !== 'giftcards') return unfinished;
  try {
    return await lookups.withCards(report);
  } catch (error) {
    if (isSupplierError(error)) return unfinished;
    throw error;
  }
}

/**
 * Reads the reports of all product lines. Reloadly reads dates in a time zone that is hours behind UTC, so the requested period
 * begins a day earlier. Drops a repeated row: a transaction may move to a later page during the reading.
 */
async function* statement(connections: Connections, since: Date): AsyncGenerator<SoldPurchase[]> {
  const startDate = new Date(since.getTime() - day).toISOString().slice(0, 19).replace('T', ' ');
  for (const line of namesOf(listings)) {
    const pages = allPages(MAX_PAGES, (page) =>
      connections[line].read({
        path: listings[line].path,
        query: { startDate, page, size: PAGE_SIZE },
        maxBytes: MAX_PAGE_BYTES,
        parse: (body) => readStatementPage(body, line, since),
      }),
    );
    yield* withoutRepeats(pages, ({ supplierOrderId = '' }) => supplierOrderId);
  }
}

/** One page. A transaction that cannot be read makes the page unreadable. */
function readStatementPage(body: unknown, line: ProductLine, since: Date): SupplierPage<SoldPurchase> | undefined {
  const read = readPage(body);
  const transactions = read?.rows.flatMap((row) => listings[line].readRow(row) ?? []);
  if (!read || transactions?.length !== read.rows.length) return undefined;
  const items = transactions.flatMap((one) => toStatementRows(one, since));
  return { items, totalPages: read.totalPages };
}
