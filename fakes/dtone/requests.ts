/** The bodies and queries of calls, and their validation. */
import Joi from 'joi';
import { validation } from '../kit/requests';
import { ApiError } from './errors';
import type { CalculationMode } from './products';

export interface RequestedValue {
  unit_type: string;
  unit: string;
  amount: number;
}

export interface CreditParty {
  mobile_number?: string;
  account_number?: string;
  account_qualifier?: string;
}

export type Party = Record<string, unknown>;

/** The transaction request. */
export interface TransactionRequest {
  external_id: string;
  product_id: number;
  auto_confirm: boolean;
  calculation_mode?: CalculationMode;
  source?: RequestedValue;
  destination?: RequestedValue;
  credit_party_identifier?: CreditParty;
  debit_party_identifier?: Party;
  sender?: Party;
  beneficiary?: Party;
  statement_identifier?: Party;
  additional_identifier?: Party;
  callback_url?: string;
}

const requestedValue = Joi.object<RequestedValue>({
  unit_type: Joi.string().required(),
  unit: Joi.string().required(),
  amount: Joi.number().strict().required(),
});
const creditParty = Joi.object<CreditParty>({
  mobile_number: Joi.string(),
  account_number: Joi.string(),
  account_qualifier: Joi.string(),
});
const party = Joi.object<Party>().pattern(Joi.string(), Joi.any());

/** Unknown fields, such as `quantity`, are rejected: the documentation does not say that DT One ignores them. */
export const transactionRequest = Joi.object<TransactionRequest>({
  external_id: Joi.string().max(40).required(),
  product_id: Joi.number().strict().integer().required(),
  auto_confirm: Joi.boolean().strict().default(false),
  calculation_mode: Joi.valid('SOURCE_AMOUNT', 'DESTINATION_AMOUNT'),
  source: requestedValue,
  destination: requestedValue,
  credit_party_identifier: creditParty,
  debit_party_identifier: party,
  sender: party,
  beneficiary: party,
  statement_identifier: party,
  additional_identifier: party,
  callback_url: Joi.string().uri({ scheme: ['http', 'https'] }),
});

export const creditPartyRequest = Joi.object<
  PageQuery & { service_id: number; credit_party_identifier: { account_number: string } }
>({
  service_id: Joi.number().strict().integer().required(),
  credit_party_identifier: Joi.object({ account_number: Joi.string().required() }).required(),
  ...pageFields(),
});

export interface PageQuery {
  page: number;
  per_page: number;
}

export const pageQuery = Joi.object<PageQuery>(pageFields());

export interface ProductsQuery extends PageQuery {
  type?: string;
  service_id?: number;
  country_iso_code?: string;
  operator_id?: number;
}

/** The documentation names more filters. The fake has the filters that its buyer uses, and rejects the others. */
export const productsQuery = Joi.object<ProductsQuery>({
  type: Joi.string(),
  service_id: Joi.number().integer(),
  country_iso_code: Joi.string(),
  operator_id: Joi.number().integer(),
  ...pageFields(),
});

export interface TransactionsQuery extends PageQuery {
  external_id?: string;
  from_date?: Date;
  to_date?: Date;
}

export const transactionsQuery = Joi.object<TransactionsQuery>({
  external_id: Joi.string(),
  from_date: Joi.date().iso(),
  to_date: Joi.date().iso(),
  ...pageFields(),
});

/** Pages. A `per_page` above 100 is an error, so that no buyer relies on it. */
function pageFields() {
  return {
    page: Joi.number().integer().min(1).default(1),
    per_page: Joi.number().integer().min(1).max(100).default(50),
  };
}

/** Throws 1000400 with one error for each fault. */
export const validated = validation((faults) => new ApiError(1000400, ...faults.map(({ message }) => message)));
