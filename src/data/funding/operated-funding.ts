/** Funding requests as operators see them. */
import type { FundingState } from '../../domain/funding/funding-states';
import { firstRow, rows, type Database } from '../database/database';
import { fundingBinds, currentFundingState, isWantedFunding, type FundingFilter } from './funding-requests';
import { number, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

/** A request as operators see it. */
export const operatedFundingColumns = {
  id: number,
  client_id: number,
  client: text,
  wallet_id: number,
  amount: text,
  currency: text,
  reference: text,
  state: oneOf<FundingState>(),
  created_at: time,
  expires_at: time,
  transaction_id: orNull(number),
};
export type OperatedFunding = RowWith<typeof operatedFundingColumns>;

const operated = `
  SELECT request.id, request.client_id, client.name AS client, request.wallet_id, request.amount, wallet.currency_code AS currency,
         request.reference, ${currentFundingState} AS state, request.created_at, request.expires_at, request.transaction_id
    FROM funding_requests request JOIN wallets wallet ON wallet.id = request.wallet_id JOIN clients client ON client.id = request.client_id`;

/** The requests that match all conditions, newest first. `after`: only older ones than the one with this id. */
export function listOperatedFunding(
  database: Database,
  { after, limit, ...filter }: FundingFilter & { after?: number | undefined; limit?: number | undefined },
) {
  return rows<OperatedFunding>(
    database,
    `${operated} WHERE ${isWantedFunding} AND ($after::integer IS NULL OR request.id < $after) ORDER BY request.id DESC LIMIT $limit`,
    { ...fundingBinds(filter), after: after ?? null, limit: limit ?? null },
  );
}

/** The request. Throws if there is none with the id. */
export async function operatedFunding(database: Database, id: number): Promise<OperatedFunding> {
  const request = await firstRow<OperatedFunding>(database, `${operated} WHERE request.id = $id`, { id });
  if (!request) throw new Error(`There is no funding request ${id}. See them with: funding list`);
  return request;
}
