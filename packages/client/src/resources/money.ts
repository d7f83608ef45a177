/** Wallets, their funding, transactions and statements. */
import { filled, listAt, type Api, type Query } from '../api.ts';
import type {
  Conversion,
  ConversionRequest,
  FundingRequest,
  FundingRequestBody,
  Transaction,
  Wallet,
} from '../models.ts';
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

export class Funding {
  constructor(private readonly api: Api) {}

  /** Announces a bank transfer to the wallet. A call whose response was lost is not repeated: look it up with `list`. */
  request(walletId: number, body: FundingRequestBody, options?: CallOptions): Promise<FundingRequest> {
    const call = { inPath: { id: walletId }, body };
    return this.api.act('post', '/api/v1/wallets/{id}/funding-requests', call, 'unless-carried-out', options);
  }

  /** Lists the funding requests of a wallet, newest first. */
  list(
    walletId: number,
    query: Query<'/api/v1/wallets/{id}/funding-requests'> = {},
    options: CallOptions = {},
  ): List<FundingRequest> {
    const path = filled('/api/v1/wallets/{id}/funding-requests', { id: walletId });
    return listAt<FundingRequest>(this.api.transport, path, query, options, { keyOf: ({ id }) => id });
  }

  get(id: number, options?: CallOptions): Promise<FundingRequest> {
    return this.api.get('/api/v1/funding-requests/{id}', { id }, options);
  }

  cancel(id: number, options?: CallOptions): Promise<FundingRequest> {
    const path = '/api/v1/funding-requests/{id}/cancel';
    return this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
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

  /** Lists transactions, newest first. With `after_id`, an iteration yields those that are newer than that one, oldest first. */
  list(query: Query<'/api/v1/transactions'> = {}, options?: CallOptions): List<Transaction> {
    return this.api.positionedList('/api/v1/transactions', query, options);
  }

  get(id: number, options?: CallOptions): Promise<Transaction> {
    return this.api.get('/api/v1/transactions/{id}', { id }, options);
  }
}
