/** The externally visible facts after a run, from which the guarantees are checked. */
import type { Decimal } from 'decimal.js';
import type { EventView } from '../../stack/webhook-receiver';
import type { OrderView, TransactionView } from '../actors/api';
import type { ApiUser, Attempt } from '../actors/client';
import type { Booking } from '../actors/bank';
import type { BankEntryView } from '../actors/finance';
import type { ListedOrder, ListedSupplier } from '../actors/operators';
import type { Bought } from '../actors/supplier';
import type { AnswerChange } from '../plan/answer-changes';
import type { Family } from '../plan/orders';
import type { SupplierName } from '../plan/suppliers';
import type { AfterSaleFacts } from './after-sale-facts';

/** The kinds of entries about goods that a supplier sold and no client has. */
export const surplusKinds: readonly string[] = ['GOODS_APART', 'SETTLEMENT_DIFFERENCE'];

/** An order with all known facts. */
export interface OrderFact {
  id: number;
  family: Family;
  /** The supplier that lists the item. */
  supplier: SupplierName;
  client: string;
  scenario: string;
  product: string;
  reference: string;
  status: string;
  quantity: number;
  /** The codes, claim URLs and ICCIDs that its client can read. */
  codes: string[];
  /** Units that its client has. */
  readable: number;
  /** The debits from and credits to its client's wallet. */
  debited: Decimal;
  credited: Decimal;
  debits: number;
  /** What the order itself says about its debit. */
  charged: number;
  hasTransaction: boolean;
  /** The unit that it replaces. */
  replaces: ReplacedUnit | undefined;
  /** The order whose profile it recharges, and the ICCID that it shows. */
  recharges: number | undefined;
  iccid: string | undefined;
  /** The orders that it names as replacements of its units. */
  replacements: ReplacedUnit[];
  /** The goods that it showed before a claim; undefined without one. */
  claimed: string[] | undefined;
  /** The refunds after its delivery: their references, and their sum. `credited` does not include them. */
  refunds: string[];
  refunded: Decimal;
  /** Whether an eSIM's profile has expired. No run uses one up, and a run is shorter than a plan. */
  isExpired: boolean;
  /** The value of the voucher that paid for it; 0 without one. */
  redeemed: number;
  /** The sales of all suppliers for it, and their units. */
  sales: Bought[];
  sold: number;
  /** Whether a supplier answered one of its purchases and sold nothing under the reference. */
  isRefused: boolean;
  /** What suppliers said differently about its sales. */
  changes: ReadonlySet<AnswerChange>;
  /** The units of sales that every description contradicts. */
  misdescribed: number;
  /** Suppliers that stated only another cost of a sale. */
  misstatedBy: SupplierName[];
  /** Whether an operator gave up its unusable goods. */
  isUnusable: boolean;
  /** Whether an operator decided it, perhaps while a purchase was still on its way. */
  isDecided: boolean;
  /** Whether an operator asked to cancel it. */
  isCancelled: boolean;
  /** Whether its client has erased its address, and whether a response still has an address or an input. */
  isErased: boolean;
  hasRecipient: boolean;
  /** Its entries on the attention list. */
  listed: ListedOrder[];
  /** Its events in the order of the log. */
  events: EventView[];
}

/** A unit of an order; 1 for top-ups and eSIMs. */
export interface ReplacedUnit {
  orderId: number;
  unit: number;
}

export interface MailFact {
  to: string;
  messageId: string;
}

export interface Facts {
  orders: OrderFact[];
  users: readonly ApiUser[];
  attempts: Attempt[];
  /** The results of lookups by reference, for attempts with an unknown outcome. */
  lookedUp: Map<string, OrderView | undefined>;
  balances: Map<string, Decimal>;
  mails: MailFact[];
  /** The entries of the attention list about suppliers. */
  listedSuppliers: ListedSupplier[];
  /** Sales under references without an order. */
  strays: Bought[];
  afterSale: AfterSaleFacts;
  prices: PriceFact[];
  money: MoneyFacts;
}

/** A change of a value that decides money, oldest first. */
export interface PriceFact {
  /** What it is the price of, such as `rate/SEK/NOK`. */
  of: string;
  /** A rate, the part of the price that a discount leaves, an amount or a cost; null if there is none. */
  before: string | null;
  after: string | null;
  /** Milliseconds by the clock of the database, which steps. */
  at: number;
  operator: string;
  approver: string | null;
  /** Whether it was set before there was a rule about prices. */
  isGiven: boolean;
}

export interface RequestView {
  reference: string;
  amount: number;
  state: string;
}

export interface MoneyFacts {
  requests: (RequestView & { client: string })[];
  /** The banks' own lists. */
  bookings: readonly Booking[];
  bankEntries: readonly BankEntryView[];
  /** What entries of banks and conversions moved in the wallets that order. */
  entries: (Pick<TransactionView, 'amount' | 'reference_number'> & { client: string })[];
  closes: number;
}
