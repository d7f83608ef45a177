/** The API as one of its clients calls it. */
import { ApiClient } from '../../stack/api-client';
import { collections, type Family } from '../plan/orders';

export interface ErrorBody {
  error?: { code: string; message: string };
}

/** The order fields of all families. */
export interface OrderView {
  id: number;
  status: string;
  product_name: string;
  client_reference?: string;
  charged_amount: number;
  transaction_id?: number;
  /** Of an order that replaces a unit. The unit is null for top-ups and eSIMs. */
  replaces?: { order_id: number; unit: number | null };
  /** The orders that replace its units, without those that failed. */
  replacements?: { order_id: number; unit: number | null }[];
  /** The recipient: the address for the mail, and the input of a top-up. */
  email?: string;
  input_data?: object | null;
  /** Vouchers only. */
  quantity?: number;
  vouchers?: { card_number: string | null; claim_url: string | null }[];
  /** Delivered eSIMs only. */
  iccid?: string | null;
  activation_code?: string | null;
  activation_status?: string;
  is_installed?: boolean;
  /** Of an order that adds a plan to the profile of another one. */
  recharges?: { order_id: number };
}

export interface TransactionView {
  id: number;
  wallet_id: number;
  amount: number;
  transaction_type: 'DEBIT' | 'CREDIT';
  reference_number: string;
}

/** The codes, claim URLs and ICCIDs that the order shows. A recharge shows the ICCID of another order and has no goods to show. */
export function goodsOf({ vouchers = [], iccid, activation_code: activation, recharges }: OrderView): string[] {
  if (recharges) return [];
  return [...vouchers.flatMap(({ card_number: code, claim_url: url }) => [code, url]), iccid, activation]
    .filter((code): code is string => typeof code === 'string')
    .map((code) => code.trim());
}

/** The longest page of the lists of orders of all families, of events and of transactions. */
const PAGE = 500;

export class Api extends ApiClient {
  /** All items of a list, page by page, in its order. */
  async readAll<Item>(path: string): Promise<Item[]> {
    const size = path.includes('transactions') || path === collections.VOUCHER ? 'limit' : 'per_page';
    const separator = path.includes('?') ? '&' : '?';
    const all: Item[] = [];
    for (let page = 1; ; page++) {
      const { status, body } = await this.call<Item[]>('GET', `${path}${separator}${size}=${PAGE}&page=${page}`);
      // The list of voucher orders answers 404 if there are none.
      if (status === 404) return all;
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      all.push(...body);
      if (body.length < PAGE) return all;
    }
  }

  /** The order with the reference; undefined if there is none. */
  async findOrder(family: Family, reference: string): Promise<OrderView | undefined> {
    const path = `${collections[family]}?client_reference=${reference}`;
    const { status, body } = await this.call<OrderView[]>('GET', path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    return body[0];
  }
}
