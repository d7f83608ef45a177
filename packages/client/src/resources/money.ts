/** Wallets, and what went through them. */
import type { Api, Query } from '../api.ts';
import type { Transaction, Wallet } from '../models.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

export class Wallets {
  constructor(private readonly api: Api) {}

  list(options?: CallOptions): Promise<Wallet[]> {
    return this.api.get('/api/v1/wallets', {}, options);
  }

  get(id: number, options?: CallOptions): Promise<Wallet> {
    return this.api.get('/api/v1/wallets/{id}', { id }, options);
  }

  /** Below this balance `wallet.low_balance` is sent; null for never. */
  setLowBalanceThreshold(id: number, threshold: number | null, options?: CallOptions): Promise<Wallet> {
    const body = { low_balance_threshold: threshold };
    return this.api.act('patch', '/api/v1/wallets/{id}', { inPath: { id }, body }, 'always', options);
  }
}

export class Transactions {
  constructor(private readonly api: Api) {}

  /** Newest first. */
  list(query: Query<'/api/v1/transactions'> = {}, options?: CallOptions): List<Transaction> {
    return this.api.list('/api/v1/transactions', query, options);
  }

  get(id: number, options?: CallOptions): Promise<Transaction> {
    return this.api.get('/api/v1/transactions/{id}', { id }, options);
  }
}
