/** Looks purchases up: first in the report of their product line by our reference, then by Reloadly's id. */
import { safeText, type SafeText } from '../../domain/safe-text';
import type { ReportedUnit } from '../../domain/orders/goods';
import { MAX_PAGE_BYTES, maxPurchaseBytes } from '../kit/limits';
import { ambiguous, severalRows, unlessTooLong } from '../kit/reports';
import type { LookupReport, PurchaseLookup, PurchaseReport } from '../../domain/suppliers/port';
import { SupplierUnavailable } from '../../domain/suppliers/supplier-errors';
import { CARDS_PATH, type Connections, type ProductLine } from './connections';
import { readCards, readPage } from './messages';
import { lineOf } from './orders';
import { readBill, readGift, readTopup, readTopupStatus, toReport, type Transaction } from './transactions';

/** How a product line lists its transactions. */
interface Listing {
  path: SafeText;
  /** The name of our reference in searches and rows. */
  reference: 'customIdentifier' | 'referenceId';
  readRow: (row: unknown) => Transaction | undefined;
  /** One transaction by Reloadly's id. */
  byId: { path: SafeText; read: (body: unknown, asked: { id: string; reference: string }) => Transaction | undefined };
}

export const listings: Readonly<Record<ProductLine, Listing>> = {
  giftcards: {
    path: safeText`/reports/transactions`,
    reference: 'customIdentifier',
    readRow: readGift,
    byId: { path: safeText`/reports/transactions/:id`, read: readGift },
  },
  topups: {
    path: safeText`/topups/reports/transactions`,
    reference: 'customIdentifier',
    readRow: readTopup,
    byId: { path: safeText`/topups/:id/status`, read: readTopupStatus },
  },
  utilities: {
    path: safeText`/transactions`,
    reference: 'referenceId',
    readRow: readBill,
    byId: { path: safeText`/transactions/:id`, read: readBill },
  },
};

/** The largest page that the reports allow. */
export const PAGE_SIZE = 50;

export class Lookups {
  constructor(private readonly connections: Connections) {}

  /** The purchase with the reference. Throws the port's errors. */
  async find(lookup: PurchaseLookup): Promise<LookupReport> {
    const line = lineOf(lookup.sku);
    // No purchase with such a SKU is ever sent.
    if (!line) return { state: 'NOT_FOUND' };
    return unlessTooLong(this.findIn(line, lookup));
  }

  private async findIn(line: ProductLine, lookup: PurchaseLookup): Promise<LookupReport> {
    const { found, fault } = await this.search(line, lookup.reference);
    if (fault) return ambiguous(fault, found.length > 0);
    const [row, ...others] = found;
    if (others.length > 0) return ambiguous(severalRows(found.length));
    const { supplierOrderId = row?.id } = lookup;
    if (supplierOrderId === undefined) return { state: 'NOT_FOUND' };
    if (row && row.id !== supplierOrderId) return ambiguous(ANOTHER_ID);
    const lacksReason = row && line === 'topups' && hasFailed(row);
    if (row && !lacksReason) return this.reportOf(line, row, lookup.sku);
    return this.findById(line, { ...lookup, supplierOrderId }, row);
  }

  /**
   * Looks a purchase up by Reloadly's id: if the report lacks it, because the report may lack unfinished top-ups, or if the report
   * shows a failed top-up (`row`), because only this lookup shows the reason.
   */
  private async findById(
    line: ProductLine,
    { reference, sku, supplierOrderId: id }: PurchaseLookup & { supplierOrderId: string },
    row: Transaction | undefined,
  ): Promise<LookupReport> {
    const { byId } = listings[line];
    const answer = await this.connections[line].call({
      method: 'GET',
      path: byId.path,
      params: { id },
      maxBytes: maxPurchaseBytes(1),
    });
    if (!answer.ok) {
      if (row) return this.reportOf(line, row, sku);
      if (answer.status === 404) return { state: 'NOT_FOUND' };
      throw new SupplierUnavailable(safeText`reloadly: the lookup was rejected`, undefined, answer.rawResponse);
    }
    const transaction = byId.read(answer.body, { id, reference });
    if (!transaction) return ambiguous(UNREADABLE, row !== undefined);
    if (transaction.id !== id || transaction.reference !== reference) return ambiguous(ANOTHER_ID);
    if (row && transaction.status !== row.status) return ambiguous(TWO_STATUSES);
    return this.reportOf(line, transaction, sku);
  }

  private async reportOf(line: ProductLine, transaction: Transaction, sku: string): Promise<LookupReport> {
    const report = toReport(transaction, sku);
    if (!report) return ambiguous(safeText`The supplier shows a status that is not documented`);
    return line === 'giftcards' ? this.withCards(report) : report;
  }

  /** The report of an order of gift cards with its codes. An order without any code yet is unfinished. */
  async withCards(report: PurchaseReport): Promise<PurchaseReport> {
    if (report.state !== 'DELIVERED') return report;
    const goods = await this.cardsOf(report.supplierOrderId);
    return goods.length > 0 ? { ...report, goods } : { ...report, state: 'PENDING', goods };
  }

  private async cardsOf(id: string): Promise<ReportedUnit[]> {
    const answer = await this.connections.giftcards.call({
      method: 'GET',
      path: CARDS_PATH,
      params: { id },
      maxBytes: MAX_PAGE_BYTES,
    });
    const cards = answer.ok ? readCards(answer.body) : [];
    if (!cards) throw new SupplierUnavailable(safeText`reloadly: unreadable codes`);
    return cards;
  }

  /**
   * The rows with exactly the reference, because Reloadly's search ignores case. `fault`: set if the response is incomplete or
   * partly unreadable, so that rows may be missing. Throws if a row has another reference: the response belongs to another search.
   */
  private async search(line: ProductLine, reference: string) {
    const { path, reference: field, readRow } = listings[line];
    const page = await this.connections[line].read({
      path,
      query: { [field]: reference, page: 1, size: PAGE_SIZE },
      maxBytes: MAX_PAGE_BYTES,
      parse: (body) => {
        const read = readPage(body);
        const transactions = read?.rows.map((row) => readRow(row));
        const areOurs = transactions?.every((one) => !one || isSearched(one, reference));
        return read && transactions && areOurs ? { ...read, transactions } : undefined;
      },
    });
    const found = page.transactions.flatMap((one) => (one?.reference === reference ? [one] : []));
    if (page.transactions.includes(undefined)) return { found, fault: UNREADABLE };
    if (page.totalRows !== page.rows.length || page.totalPages > 1)
      return { found, fault: safeText`The supplier shows only a part of its list` };
    return { found, fault: undefined };
  }
}

const UNREADABLE = safeText`The supplier shows a transaction that cannot be read`;
const ANOTHER_ID = safeText`The supplier shows another transaction than it accepted`;
const TWO_STATUSES = safeText`The supplier shows two statuses of one transaction`;

function isSearched({ reference }: Transaction, searched: string): boolean {
  return reference?.toLowerCase() === searched.toLowerCase();
}

function hasFailed({ status }: Transaction): boolean {
  return status === 'FAILED' || status === 'REFUNDED';
}
