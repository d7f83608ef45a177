/** Wallets, their transactions and statements. */
import { filled, type Api, type Query } from '../api.ts';
import type { Conversion, ConversionRequest, Transaction, Wallet } from '../models.ts';
import type { List } from '../pages.ts';
import type { ByteStream } from '../platform.ts';
import type { CallOptions } from '../transport.ts';

export class Wallets {
  constructor(private readonly api: Api) {}

  list(options?: CallOptions): Promise<Wallet[]> {
    return this.api.get('/api/v1/wallets', {}, options);
  }

  get(id: number, options?: CallOptions): Promise<Wallet> {
    return this.api.get('/api/v1/wallets/{id}', { id }, options);
  }

  /** Sets the balance below which `wallet.low_balance` is sent; null turns it off. */
  setLowBalanceThreshold(id: number, threshold: number | null, options?: CallOptions): Promise<Wallet> {
    const body = { low_balance_threshold: threshold };
    return this.api.act('patch', '/api/v1/wallets/{id}', { inPath: { id }, body }, 'always', options);
  }

  /** Converts money of the wallet to another one. Repeated with its reference, it returns the same conversion. */
  convert(id: number, body: ConversionRequest, options?: CallOptions): Promise<Conversion> {
    const path = '/api/v1/wallets/{id}/conversions';
    return this.api.act('post', path, { inPath: { id }, body }, 'always', options);
  }
}

/** `from` is included, `to` is not. */
export interface Period {
  from: Date;
  to: Date;
}

export class Statements {
  constructor(private readonly api: Api) {}

  /** Streams the entries of a wallet as CSV. */
  async wallet(id: number, period: Period, options?: CallOptions): Promise<ByteStream> {
    return this.read(filled('/api/v1/wallets/{id}/statement', { id }), period, options);
  }

  /** Streams the orders of all families as CSV. */
  orders(period: Period, options?: CallOptions): Promise<ByteStream> {
    return this.read('/api/v1/statements/orders', period, options);
  }

  private read(path: string, { from, to }: Period, options: CallOptions = {}): Promise<ByteStream> {
    const query = { from: from.toISOString(), to: to.toISOString() };
    const headers = { accept: 'text/csv' };
    return this.api.transport.stream({ ...options, method: 'GET', path, query, headers });
  }
}

export class Transactions {
  constructor(private readonly api: Api) {}

  /** Lists transactions, newest first. */
  list(query: Query<'/api/v1/transactions'> = {}, options?: CallOptions): List<Transaction> {
    return this.api.list('/api/v1/transactions', query, options);
  }

  get(id: number, options?: CallOptions): Promise<Transaction> {
    return this.api.get('/api/v1/transactions/{id}', { id }, options);
  }
}
