/** The creation of transactions, and the use of external ids. */
import type { ModeBook } from '../kit/modes';
import { pause } from '../kit/times';
import { findProduct } from './catalogue';
import { ApiError } from './errors';
import { outcomeOf } from './outcomes';
import { skuOf, type Product } from './products';
import { transactionRequest, validated, type TransactionRequest } from './requests';
import { statusOf } from './statuses';
import { amountsOf, checkParties } from './terms';
import type { Transaction, Transactions } from './transactions';

/** The result of a creation that ran. With `failure`, the buyer sees this error although the transaction exists. */
export interface Created {
  readonly transaction: Transaction;
  readonly failure?: ApiError;
}

/**
 * The time between the check of the external id and the acceptance. DT One does not state that the two steps are
 * atomic, so parallel requests with one external id all buy.
 */
const gapMs = 25;

export class Creator {
  /** External ids of rejected requests, which cannot be used again. */
  private readonly refused = new Set<string>();

  constructor(
    private readonly modes: ModeBook,
    private readonly transactions: Transactions,
  ) {}

  /** Buys one unit. Throws an `ApiError` if the request is rejected; then no transaction exists. */
  async create(body: unknown): Promise<Created> {
    const request = validated(transactionRequest, body);
    const { repeats = 'as-documented' } = this.modes.of(String(request.product_id));
    const first = this.transactions.withReference(request.external_id).at(-1);
    if (first && repeats === 'returns-first') return { transaction: first };
    if (repeats !== 'buys-again' && (first || this.refused.has(request.external_id))) {
      throw new ApiError(1007001);
    }
    await pause(gapMs);
    try {
      return this.buy(request);
    } catch (error) {
      // DT One does not say whether a 4xx frees the external id, so the id is used up. After 401 and 429, it stays free.
      const isRejection = error instanceof ApiError && [400, 404].includes(error.status);
      if (isRejection) this.refused.add(request.external_id);
      throw error;
    }
  }

  clear(): void {
    this.refused.clear();
  }

  private buy(request: TransactionRequest): Created {
    const product = findProduct(request.product_id);
    const modes = this.modes.of(String(request.product_id));
    if (product === undefined || modes.vanished) throw new ApiError(1003001);
    const rejection = this.modes.take(skuOf(product), 'rejects')?.code;
    const failure = /^\d+$/.test(rejection ?? '') ? new ApiError(Number(rejection)) : undefined;
    // DT One does not state that a 500 leaves nothing behind, so the purchase runs. Every other code rejects it.
    if (failure && failure.status !== 500) throw failure;
    const transaction = this.accept(product, request);
    if (rejection !== undefined && !failure) this.transactions.end(transaction, statusOf(rejection));
    else if (request.auto_confirm) this.transactions.confirm(transaction);
    return failure ? { transaction, failure } : { transaction };
  }

  private accept(product: Product, request: TransactionRequest): Transaction {
    const modes = this.modes.of(skuOf(product));
    checkParties(product, request);
    const amounts = amountsOf(product, request, modes.price_factor ?? 1);
    const outcome = outcomeOf(product, request, this.modes);
    const isLargeId = modes.numbers ?? false;
    return this.transactions.accept({ request, product, amounts, outcome }, isLargeId);
  }
}
