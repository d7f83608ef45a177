/** Conversions between two wallets of the caller. docs/specification.md#conversions. */
import Joi from 'joi';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import {
  convertMoney,
  findConversion,
  type StoredConversion,
  type ConversionRefusal,
  type RequestedConversion,
} from '../../data/wallets/stored-conversions';
import { findWallet } from '../../data/wallets/wallets';
import { errors, type ApiError } from '../../domain/errors';
import { second } from '../../domain/time';
import { Exact, toJsonNumber } from '../../domain/prices/money';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { json } from '../openapi/operation';
import { amount, id, model, time } from '../openapi/schema';
import { bodyId, integer } from '../orders/order-fields';
import type { ApiRoutes } from '../server/route';
import { found, jsonObject, pathId, validBody } from '../shared/validation';
import { assertDecimals, tooManyDecimals } from './decimals';
import { invalidWalletId } from './routes';

const conversionSchema = model('Conversion', 'Money that moved from one of your wallets to another.', {
  id: id('The conversion.', 5),
  from_wallet_id: id('The debited wallet.', 1),
  to_wallet_id: id('The credited wallet.', 14),
  amount: amount('What was debited, in the currency of the debited wallet.', 100),
  converted_amount: amount('What was credited, in the currency of the credited wallet.', 91.08),
  forex_rate: amount('The rate from the first currency to the second.', 0.92),
  conversion_charges: amount('The charges, in the currency of the credited wallet.', 0.92),
  debit_transaction_id: id('The debit.', 233),
  credit_transaction_id: id('The credit.', 234),
  created_at: time('When it was made.'),
});

/** Within the range of the column. */
const MAX_AMOUNT = 1e15;
const MAX_REFERENCE = 255;

interface ConversionBody {
  to_wallet_id: number;
  amount: number;
  reference: string;
}

const conversionBody = Joi.object<ConversionBody>({
  to_wallet_id: bodyId(integer)
    .required()
    .description('The wallet to credit: another one of yours.')
    .example(14)
    .messages({ 'any.required': 'to_wallet_id is required', '*': 'to_wallet_id is invalid' }),
  amount: Joi.number()
    .strict()
    .greater(0)
    .max(MAX_AMOUNT)
    .required()
    .description('What to debit, with the decimals of the currency. At most the positive balance.')
    .example(100)
    .messages({ 'any.required': 'amount is required', '*': 'amount must be a number above 0, at most 1e15' }),
  reference: Joi.string()
    .pattern(/^[\x20-\x7e]+$/)
    .max(MAX_REFERENCE)
    .required()
    .description(
      'Your name for the conversion, unique among your conversions. Repeat the request with it after a lost response.',
    )
    .example('march-eur')
    .messages({
      'any.required': 'reference is required',
      '*': `reference must be 1 to ${MAX_REFERENCE} printable ASCII characters`,
    }),
});

const sameWallet = () => errors.validation('to_wallet_id must be another wallet', 'to_wallet_id');
const roundsToZero = () => errors.validation('amount is too small to be converted', 'amount');
const otherConversion = () => errors.notPossibleNow('The reference belongs to another conversion');

/** The error for each refusal of the database. */
const refused: Readonly<Record<Exclude<ConversionRefusal, 'REFERENCE_USED'>, () => ApiError>> = {
  WALLET_CLOSED: () => errors.notFound('Wallet'),
  NO_RATE: errors.exchangeRateUnavailable,
  INSUFFICIENT_BALANCE: errors.insufficientBalance,
  ROUNDS_TO_ZERO: roundsToZero,
};

export const conversionRoutes: ApiRoutes = {
  'POST /api/v1/wallets/:id/conversions': {
    id: 'convertMoney',
    tag: 'Wallets',
    scope: 'wallets',
    summary: 'Convert money to another wallet',
    description:
      'Debits this wallet and credits another one of yours at the present rate, at once or not at all. Our operators enable it.',
    path: { id: id('The wallet to debit.', 1) },
    body: { schema: conversionBody, title: 'ConversionRequest' },
    responses: {
      200: json('The conversion that has the reference already.', conversionSchema),
      201: json('The conversion.', conversionSchema),
    },
    errors: [
      invalidWalletId(),
      errors.notFound('Wallet', 'id'),
      errors.notFound('Wallet', 'to_wallet_id'),
      sameWallet(),
      tooManyDecimals('amount', { minorUnit: 2, currencyCode: 'USD' }),
      roundsToZero(),
      errors.insufficientBalance(),
      errors.exchangeRateUnavailable(),
      errors.conversionsDisabled(),
      otherConversion(),
    ],
    handler: (deps) => async (request, response) => {
      const fromWalletId = pathId(request.params['id'], invalidWalletId);
      const client = clientOf(response);
      if (!client.conversions) throw errors.conversionsDisabled();
      const body = validBody(conversionBody, jsonObject(request));
      const requested = {
        clientId: client.id,
        reference: body.reference,
        fromWalletId,
        toWalletId: body.to_wallet_id,
        amount: new Exact(body.amount).toFixed(),
      };
      const earlier = await earlierConversion(deps, requested);
      const { isNew, conversion } = earlier ? { isNew: false, conversion: earlier } : await converted(deps, requested);
      response.status(isNew ? 201 : 200).json(conversionView(conversion));
    },
  },
};

/** The conversion that has the reference. Throws 409 if it had another amount or wallet. */
async function earlierConversion(
  { database }: Pick<Dependencies, 'database'>,
  requested: RequestedConversion,
): Promise<StoredConversion | undefined> {
  const earlier = await findConversion(database, requested);
  const isSame =
    earlier?.fromWalletId === requested.fromWalletId &&
    earlier.toWalletId === requested.toWalletId &&
    new Exact(earlier.amount).equals(requested.amount);
  if (earlier && !isSame) throw otherConversion();
  return earlier;
}

/** Conversions of a client wait for each other in the database: here, they hold no connection meanwhile. */
const turns = new ConcurrencyLimiter({ maxConcurrent: 4, maxPerOwner: 1 });
const MAX_WAIT_MS = 30 * second;

/**
 * Makes the conversion, unless another request has just made one with the same reference: `isNew` is then false. Throws the reason for
 * which it cannot be made, and 503 if its turn does not come.
 */
async function converted(
  deps: Pick<Dependencies, 'database'>,
  requested: RequestedConversion,
): Promise<{ isNew: boolean; conversion: StoredConversion }> {
  const { database } = deps;
  const { clientId, fromWalletId, toWalletId, amount: debited } = requested;
  const payer = found(await findWallet(database, clientId, fromWalletId), 'Wallet');
  if (fromWalletId === toWalletId) throw sameWallet();
  if (!(await findWallet(database, clientId, toWalletId))) throw errors.notFound('Wallet', 'to_wallet_id');
  assertDecimals('amount', payer, debited);
  const turn = await turns.acquire({ owner: clientId }, MAX_WAIT_MS);
  if (!turn) throw errors.serviceUnavailable();
  const outcome = await convertMoney(database, requested).finally(() => turn.release());
  if (outcome !== 'CONVERTED' && outcome !== 'REFERENCE_USED') throw refused[outcome]();
  const conversion = found(await earlierConversion(deps, requested), 'Conversion');
  return { isNew: outcome === 'CONVERTED', conversion };
}

function conversionView(made: StoredConversion): object {
  return {
    id: made.id,
    from_wallet_id: made.fromWalletId,
    to_wallet_id: made.toWalletId,
    amount: toJsonNumber(made.amount),
    converted_amount: toJsonNumber(made.convertedAmount),
    forex_rate: toJsonNumber(made.forexRate),
    conversion_charges: toJsonNumber(made.conversionCharges),
    debit_transaction_id: made.debitTransactionId,
    credit_transaction_id: made.creditTransactionId,
    created_at: made.createdAt.toISOString(),
  };
}
