/**
 * The bank: its own list of what it booked on an account of ours, and its files. They have ids, numbers, pages and balances, overlap, say a
 * payment as a whole or in parts, and give a number of its own to every other payment.
 */

/** A booking, as the bank knows it. */
export interface Booking {
  account: string;
  currency: string;
  /** In the currency's smallest unit. */
  cents: number;
  /** The reference of a funding request that it holds. */
  reference: string;
  isReversal: boolean;
  day: string;
  /** The payer's text, without the reference. */
  text: string;
  /** The bank's own number; undefined if it gives none. */
  number: string | undefined;
}

/** Bookings of a page of a statement. */
const ON_A_PAGE = 4;
/** The number of statements in a download. It also has the bookings that are on no statement yet. */
const IN_A_DOWNLOAD = 3;

export class Bank {
  readonly bookings: Booking[] = [];
  /** Of each statement, the first booking that is not on it any more. */
  private readonly ends: number[] = [];

  /** `account`: the IBAN of our account. */
  constructor(
    private readonly account: string,
    private readonly currency: string,
  ) {}

  /** Books equal payments. A file that has one of them has all of them. */
  book(
    times: number,
    { cents, reference, isReversal = false }: Pick<Booking, 'cents' | 'reference'> & { isReversal?: boolean },
  ) {
    const { account, currency } = this;
    const money = { account, currency, cents, reference, isReversal, day: today() };
    const text = `Invoice ${reference.toLowerCase()}`;
    // Equal payments have either none or different ones.
    const isNumbered = this.bookings.length % 2 === 1;
    for (let left = times; left > 0; left--) {
      const number = isNumbered ? `${currency}${this.bookings.length + 1}` : undefined;
      this.bookings.push({ ...money, text, number });
    }
  }

  /** Ends the day: the bookings that are on no statement are on this one. Returns its pages, each a file. */
  closeStatement(): string[] {
    if ((this.ends.at(-1) ?? 0) < this.bookings.length) this.ends.push(this.bookings.length);
    return this.statement(this.ends.length, false);
  }

  /** The pages of all statements, oldest first. */
  statements(): string[] {
    this.closeStatement();
    return this.ends.flatMap((_, index) => this.statement(index + 1, false));
  }

  /** The newest statement again. `isSplit`: its payments in parts. */
  again(isSplit: boolean): string[] {
    return this.statement(this.ends.length, isSplit);
  }

  /** A download of the last days, which has neither number nor balances, and overlaps with statements. */
  download(isSplit: boolean): string[] {
    const bookings = this.bookings.slice(this.ends.at(-1 - IN_A_DOWNLOAD) ?? 0);
    return bookings.length === 0 ? [] : [this.file('', bookings, isSplit)];
  }

  private statement(number: number, isSplit: boolean): string[] {
    const [from, to] = [this.ends[number - 2] ?? 0, this.ends[number - 1] ?? 0];
    const pages: string[] = [];
    for (let first = from; first < to; first += ON_A_PAGE) {
      const end = Math.min(first + ON_A_PAGE, to);
      const head =
        `<Id>${this.currency}-${number}</Id><StmtPgntn><PgNb>${pages.length + 1}</PgNb><LastPgInd>${end === to}</LastPgInd></StmtPgntn>` +
        `<ElctrncSeqNb>${number}</ElctrncSeqNb>`;
      const balances = this.balance('OPBD', first) + this.balance('CLBD', end);
      pages.push(this.file(head, this.bookings.slice(first, end), isSplit, balances));
    }
    return pages;
  }

  /** The balance before the booking at this place. The account began with a million. */
  private balance(code: string, place: number): string {
    const cents = this.bookings
      .slice(0, place)
      .reduce((sum, { cents: own, isReversal }) => sum + (isReversal ? -own : own), 100_000_000);
    const amount = `<Amt Ccy="${this.currency}">${decimal(cents)}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
    return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount}<Dt><Dt>${this.bookings[0]?.day ?? today()}</Dt></Dt></Bal>`;
  }

  /** A file (camt.053.001.08). */
  private file(head: string, bookings: readonly Booking[], isSplit: boolean, balances = ''): string {
    return (
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${head || '<Id>DOWNLOAD</Id>'}` +
      `<Acct><Id><IBAN>${this.account}</IBAN></Id></Acct>${balances}` +
      `${bookings.map((one) => entryOf(one, isSplit)).join('')}</Stmt></BkToCstmrStmt></Document>`
    );
  }
}

/** The booking in a file. `isSplit`: in two parts, each with its text. */
function entryOf({ cents, currency, isReversal, day, text, number }: Booking, isSplit: boolean): string {
  const amount = (own: number) => `<Amt Ccy="${currency}">${decimal(own)}</Amt>`;
  const first = Math.floor(cents / 3);
  const parts = isSplit && first > 0 ? [first, cents - first] : [cents];
  const details = parts.map((own) => `<TxDtls>${amount(own)}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`);
  return (
    `<Ntry>${amount(cents)}<CdtDbtInd>${isReversal ? 'DBIT' : 'CRDT'}</CdtDbtInd><RvslInd>${isReversal}</RvslInd>` +
    `<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>` +
    `${number === undefined ? '' : `<AcctSvcrRef>${number}</AcctSvcrRef>`}<NtryDtls>${details.join('')}</NtryDtls></Ntry>`
  );
}

const decimal = (cents: number) => (cents / 100).toFixed(2);

const today = () => new Date().toISOString().slice(0, 10);
