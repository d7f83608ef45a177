/** Composes the journal of a month from the balances and entries of wallets and the amounts of orders. docs/operators/books.md. */
import { Exact } from '../prices/money';
import { accountsOf, placeOfKind, type AccountNumbers } from './postings';

/** One line of the journal. Amounts are decimal strings. */
export interface BookLine {
  line: number;
  /** PRIOR: about an earlier month, and unknown when that one was closed. */
  section: 'MONTH' | 'PRIOR';
  /** The month that the line is about. */
  ofMonth: string;
  kind: string;
  clientId: number;
  client: string;
  family: string | null;
  supplier: string | null;
  currency: string;
  /** The balances at the beginning and the end of the month; null for a line that is no balance. */
  opening: string | null;
  closing: string | null;
  amount: string;
  /** The accounts that a positive amount debits and credits; null if the line is no posting. */
  debit: string | null;
  credit: string | null;
}

/** A wallet over the month. `sums`: of its entries by kind, negative for debits. */
export interface BookedWallet {
  clientId: number;
  client: string;
  currencyCode: string;
  openingBalance: string;
  closingBalance: string;
  sums: readonly EntryAmount[];
}

interface EntryAmount {
  kind: string;
  amount: string;
}

/** An amount of a client in a currency, by what else its line says. */
export interface BookedAmount {
  clientId: number;
  currency: string;
  amount: string;
  family?: string | null;
  kind?: string;
  ofMonth?: string;
  supplier?: string | null;
}

export interface BookParts {
  wallets: readonly BookedWallet[];
  /** Sales, refunds, costs and credits, with the month and the kind of each. */
  amounts: readonly (BookedAmount & { kind: string; ofMonth: string })[];
  /** The debits of orders that had not ended, by family. */
  inProgress: { opening: readonly BookedAmount[]; closing: readonly BookedAmount[] };
  /** The refunds that were due and not credited when the month began. */
  refundsDue: readonly BookedAmount[];
}

/** Entries that stand in the lines of orders. */
const ofOrders: readonly string[] = ['ORDER', 'REFUND', 'REFUND_AFTER'];

type Draft = Omit<BookLine, 'line' | 'section' | 'clientId' | 'client' | 'currency' | 'debit' | 'credit'>;

/** The journal of the month: its lines add up to the entries of each wallet. */
export function journalOf(month: string, parts: BookParts, numbers: AccountNumbers): BookLine[] {
  const amounts = byWallet(parts.amounts);
  const opening = byWallet(parts.inProgress.opening);
  const closing = byWallet(parts.inProgress.closing);
  const due = byWallet(parts.refundsDue);
  const lines = parts.wallets.flatMap((wallet) => {
    const { clientId, client, currencyCode: currency } = wallet;
    const key = walletOf({ clientId, currency });
    const own: WalletParts = {
      month,
      amounts: amounts.get(key) ?? [],
      opening: opening.get(key) ?? [],
      closing: closing.get(key) ?? [],
      due: total(due.get(key) ?? []),
    };
    return linesOf(wallet, own).map((draft) => ({ ...draft, clientId, client, currency }));
  });
  return lines
    .sort(bySection)
    .map((draft, index) => ({
      line: index + 1,
      section: draft.ofMonth < month ? 'PRIOR' : 'MONTH',
      ...draft,
      ...accountsOf(draft.kind, numbers),
    }));
}

/** A client has at most one wallet in a currency. */
const walletOf = ({ clientId, currency }: Pick<BookedAmount, 'clientId' | 'currency'>) => `${clientId}/${currency}`;

function byWallet<Row extends BookedAmount>(all: readonly Row[]): ReadonlyMap<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const one of all) {
    const own = found.get(walletOf(one));
    if (own) own.push(one);
    else found.set(walletOf(one), [one]);
  }
  return found;
}

interface WalletParts {
  month: string;
  amounts: BookParts['amounts'];
  opening: readonly BookedAmount[];
  closing: readonly BookedAmount[];
  due: Exact;
}

function linesOf(wallet: BookedWallet, { month, amounts, opening, closing, due }: WalletParts): Draft[] {
  const digits = wallet.openingBalance.split('.')[1]?.length ?? 0;
  const balance = (kind: string, family: string | null, [from, to]: readonly [Exact, Exact]): Draft[] => {
    if (from.isZero() && to.isZero()) return [];
    // Plus 0: the text of a negative zero has a sign.
    const [first, last, change] = [from, to, to.minus(from)].map((value) => value.plus(0).toFixed(digits));
    if (first === undefined || last === undefined || change === undefined) return [];
    return [{ ofMonth: month, kind, family, supplier: null, opening: first, closing: last, amount: change }];
  };
  const [before, after] = [new Exact(wallet.openingBalance), new Exact(wallet.closingBalance)];
  const families = [...new Set([...opening, ...closing].map(({ family }) => family ?? null))];
  const openOf = (side: readonly BookedAmount[], family: string | null) =>
    total(side.filter((one) => (one.family ?? null) === family));
  const debited = debitedBy(wallet.sums);
  const sold = total(amounts.filter(({ kind }) => kind === 'SOLD'));
  // What was debited and not sold belongs to open orders, or is refunded later.
  const dueAfter = due.plus(debited).minus(sold).minus(total(closing)).plus(total(opening));
  return [
    ...balance('CREDIT_BALANCE', null, [Exact.max(before, 0), Exact.max(after, 0)]),
    ...balance('DEBT', null, [Exact.max(before.negated(), 0), Exact.max(after.negated(), 0)]),
    ...families.flatMap((family) => balance('IN_PROGRESS', family, [openOf(opening, family), openOf(closing, family)])),
    ...balance('REFUND_DUE', null, [due, dueAfter]),
    ...[...wallet.sums.filter(({ kind }) => !ofOrders.includes(kind)), ...amounts].map(
      ({ kind, amount, ...about }: BookedAmountOfKind): Draft => ({
        ofMonth: about.ofMonth ?? month,
        kind,
        family: about.family ?? null,
        supplier: about.supplier ?? null,
        opening: null,
        closing: null,
        amount,
      }),
    ),
  ];
}

/** What orders debited, less their automatic refunds. */
const debitedBy = (sums: readonly EntryAmount[]): Exact =>
  total(sums.filter(({ kind }) => kind === 'ORDER' || kind === 'REFUND')).negated();

/** The refunds that were due and not credited at a moment: what was debited before it, without the debits of open orders, and not sold. */
export function refundsDueAt(
  wallets: readonly (Pick<BookedWallet, 'clientId' | 'currencyCode'> & { earlier: readonly EntryAmount[] })[],
  sold: readonly BookedAmount[],
  inProgress: readonly BookedAmount[],
): BookedAmount[] {
  const [soldBy, openBy] = [byWallet(sold), byWallet(inProgress)];
  return wallets.map(({ clientId, currencyCode: currency, earlier }) => {
    const key = walletOf({ clientId, currency });
    const due = debitedBy(earlier)
      .minus(total(soldBy.get(key) ?? []))
      .minus(total(openBy.get(key) ?? []));
    return { clientId, currency, amount: due.toFixed() };
  });
}

type BookedAmountOfKind = { kind: string; amount: string } & Partial<BookedAmount>;

const total = (all: readonly { amount: string }[]): Exact => Exact.sum(0, ...all.map(({ amount }) => amount));

/** The lines of the month, then those of earlier months, each by kind, currency and client: the same lines always have the same sequence. */
function bySection(one: Sortable, other: Sortable): number {
  return (
    compare(other.ofMonth, one.ofMonth) ||
    placeOfKind(one.kind) - placeOfKind(other.kind) ||
    compare(one.currency, other.currency) ||
    one.clientId - other.clientId ||
    compare(one.family ?? '', other.family ?? '') ||
    compare(one.supplier ?? '', other.supplier ?? '') ||
    compare(one.amount, other.amount)
  );
}

type Sortable = Pick<BookLine, 'ofMonth' | 'kind' | 'currency' | 'clientId' | 'family' | 'supplier' | 'amount'>;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const journalColumns = [
  'month',
  'line',
  'section',
  'of_month',
  'kind',
  'client_id',
  'client',
  'family',
  'supplier',
  'currency',
  'opening',
  'closing',
  'amount',
  'debit',
  'credit',
] as const;

/** A row of the exported journal. A posting has a positive amount: a correction downwards exchanges its accounts. */
export function journalRow(
  month: string,
  line: BookLine,
): Record<(typeof journalColumns)[number], string | number | null> {
  const { ofMonth, clientId, opening, closing, amount, debit, credit, ...same } = line;
  const isReversed = debit !== null && amount.startsWith('-');
  return {
    month,
    ...same,
    of_month: ofMonth,
    client_id: clientId,
    opening,
    closing,
    amount: isReversed ? amount.slice(1) : amount,
    debit: isReversed ? credit : debit,
    credit: isReversed ? debit : credit,
  };
}
