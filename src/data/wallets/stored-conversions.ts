/** Conversions between two wallets of a client. docs/decisions/0091-check-conversions-at-their-commit.md. */
import { firstRow, oneRow, rateStopOf, type Database } from '../database/database';

/** A conversion that a client requests. `amount`: a decimal string in the currency of the debited wallet. */
export interface RequestedConversion {
  clientId: number;
  reference: string;
  fromWalletId: number;
  toWalletId: number;
  amount: string;
}

export interface StoredConversion {
  id: number;
  fromWalletId: number;
  toWalletId: number;
  amount: string;
  convertedAmount: string;
  forexRate: string;
  conversionCharges: string;
  debitTransactionId: number;
  creditTransactionId: number;
  createdAt: Date;
}

/** Why nothing was converted. */
export type ConversionRefusal =
  | 'WALLET_CLOSED'
  | 'NO_RATE'
  | 'INSUFFICIENT_BALANCE'
  | 'ROUNDS_TO_ZERO'
  | 'REFERENCE_USED';

const findStatement = `
  SELECT made.id, from_wallet_id AS "fromWalletId", to_wallet_id AS "toWalletId", made.amount, converted_amount AS "convertedAmount",
         made.forex_rate AS "forexRate", made.conversion_charges AS "conversionCharges", made.created_at AS "createdAt",
         debit.id AS "debitTransactionId", credit.id AS "creditTransactionId"
    FROM conversions made
    JOIN transactions debit ON debit.wallet_id = from_wallet_id AND debit.reference_number = 'conversion-' || made.id AND debit.order_id IS NULL
    JOIN transactions credit ON credit.wallet_id = to_wallet_id AND credit.reference_number = 'conversion-' || made.id AND credit.order_id IS NULL
   WHERE made.client_id = $clientId AND made.reference = $reference`;

/** The client's conversion with the reference; undefined if there is none. */
export function findConversion(
  database: Database,
  { clientId, reference }: Pick<RequestedConversion, 'clientId' | 'reference'>,
) {
  return firstRow<StoredConversion>(database, findStatement, { clientId, reference });
}

/** Converts the amount in one transaction, or returns why not. A reference is used once, also by concurrent calls. */
export async function convertMoney(
  database: Database,
  { clientId, reference, fromWalletId, toWalletId, amount }: RequestedConversion,
): Promise<'CONVERTED' | ConversionRefusal> {
  const statement = `SELECT convert_money($clientId, $reference, $fromWalletId, $toWalletId, $amount, $rateStopHours) AS outcome`;
  const binds = { clientId, reference, fromWalletId, toWalletId, amount, ...rateStopOf(database) };
  return (await oneRow<{ outcome: 'CONVERTED' | ConversionRefusal }>(database, statement, binds)).outcome;
}
