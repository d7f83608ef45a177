/**
 * How each kind of file is read. Only the reading thread loads this module. A reader is a pure function of the file and of plain settings,
 * returns what a message between threads can hold, and throws `InvalidArgument`, whose message names the file and the place of the fault.
 */
import type { GivenFile } from '../arguments';
import { readCatalogueFile } from '../catalogue/read-catalogue';
import { readBankFile } from '../money-in/bank-file';
import { readGoodsFile } from '../orders/goods-file';
import { readRefundFile, withHiddenNotes } from '../orders/refund-file';
import { readEuroRates } from '../prices/euro-rate-file';
import { readReferenceRates } from '../prices/reference-rate-file';
import { readSalesFile } from '../suppliers/sales-file';

export const readers = {
  bank: readBankFile,
  catalogue: readCatalogueFile,
  euroRates: readEuroRates,
  goods: readGoodsFile,
  hiddenNotes: withHiddenNotes,
  referenceRates: readReferenceRates,
  refunds: readRefundFile,
  sales: readSalesFile,
} satisfies Record<string, (file: GivenFile, settings: never) => object>;

export type Readers = typeof readers;
