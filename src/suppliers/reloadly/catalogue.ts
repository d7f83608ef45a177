/** Everything that Reloadly sells, as offers: gift cards, top-ups and bills. Each product line has its own list. */
import { safeText, type SafeText } from '../../domain/safe-text';
import type { SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { MAX_PLANS_BYTES, wholeList } from '../kit/limits';
import type { Connections, ProductLine } from './connections';
import { offersOfBiller, offersOfOperator } from './line-offers';
import { offersOfGift } from './gift-offers';
import { readPage } from './messages';

/** The largest page of the list of gift cards. The limits of the other lists are not known; smaller pages do no harm. */
const PAGE_SIZE = 200;
/** A hundred thousand products. */
const MAX_PAGES = 500;

interface Listing {
  line: ProductLine;
  path: SafeText;
  query: Readonly<Record<string, string>>;
  /** The offers of a row; none for a row without an id. */
  offersOf: (row: unknown) => SupplierOffer[];
}

/** Requests every kind of row, because Reloadly does not say which rows the lists show without these parameters. */
const allTrue = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'true']));

const listings: readonly Listing[] = [
  {
    line: 'giftcards',
    path: safeText`/products`,
    query: allTrue('includeRange', 'includeFixed'),
    offersOf: offersOfGift,
  },
  {
    line: 'topups',
    path: safeText`/operators`,
    query: allTrue('includeBundles', 'includeData', 'includeCombo', 'includePin', 'includeRange', 'includeFixed'),
    offersOf: offersOfOperator,
  },
  { line: 'utilities', path: safeText`/billers`, query: {}, offersOf: offersOfBiller },
];

/** Reads the three lists. Throws at the end of a list that has fewer rows than it states. */
export async function* catalogue(connections: Connections): AsyncGenerator<SupplierOffer[]> {
  for (const { line, path, query, offersOf } of listings) {
    yield* wholeList(MAX_PAGES, (page) =>
      connections[line].read({
        path,
        query: { ...query, page, size: PAGE_SIZE },
        maxBytes: MAX_PLANS_BYTES,
        parse: (body) => {
          const read = readPage(body);
          if (!read) return undefined;
          const { rows, totalRows, totalPages } = read;
          return { items: rows.flatMap(offersOf), rows: rows.length, totalRows, totalPages };
        },
      }),
    );
  }
}
