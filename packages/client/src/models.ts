/**
 * The schemas of the API by name. Amounts are JSON numbers in responses and order events, and decimal strings in wallet
 * events. Compare and print them unchanged; calculate with a decimal library.
 */
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** Fields that an order has exactly while it is FAILED. */
type FailureField = 'failure_code' | 'failure_reason' | 'is_user_fixable';

/** The order with its failure if `status` is FAILED, and without one in every other state. */
type ByStatus<Order extends { status: string }> =
  | (Omit<Order, 'status' | FailureField> & { status: 'FAILED' } & Required<Pick<Order, FailureField & keyof Order>>)
  | (Omit<Order, 'status' | FailureField> & { status: Exclude<Order['status'], 'FAILED'> } & {
      [Field in FailureField]?: never;
    });

/** The `code` of an error, to branch on. */
export type ErrorCode = Schemas['Error']['error']['code'];

export type VoucherProduct = Schemas['VoucherProduct'];
export type VoucherProductDetail = Schemas['VoucherProductDetail'];
export type VoucherCharges = Schemas['VoucherCharges'];
export type VoucherChargesRequest = Schemas['VoucherChargesRequest'];
export type Voucher = Schemas['Voucher'];
export type VoucherOrder = ByStatus<Schemas['VoucherOrder']>;
export type CreatedVoucherOrder = ByStatus<Schemas['CreatedVoucherOrder']>;
export type VoucherOrderItem = ByStatus<Schemas['VoucherOrderItem']>;
export type VoucherOrderRequest = Schemas['VoucherOrderRequest'];

export type TopupProduct = Schemas['TopupProduct'];
export type TopupProductDetail = Schemas['TopupProductDetail'];
export type TopupVariant = Schemas['TopupVariant'];
export type TopupChargesRequest = Schemas['TopupChargesRequest'];
export type TopupOrder = ByStatus<Schemas['TopupOrder']>;
export type TopupOrderItem = ByStatus<Schemas['TopupOrderItem']>;
export type TopupOrderRequest = Schemas['TopupOrderRequest'];
export type MobileLookup = Schemas['MobileLookup'];

export type EsimProduct = Schemas['EsimProduct'];
export type EsimProductDetail = Schemas['EsimProductDetail'];
export type EsimVariant = Schemas['EsimVariant'];
export type EsimVariantDetail = Schemas['EsimVariantDetail'];
export type EsimChargesRequest = Schemas['EsimChargesRequest'];
export type EsimOrder = ByStatus<Schemas['EsimOrder']>;
export type EsimOrderItem = ByStatus<Schemas['EsimOrderItem']>;
export type EsimOrderRequest = Schemas['EsimOrderRequest'];
export type EsimUsage = Schemas['EsimUsage'];
export type EsimInstallation = Schemas['EsimInstallation'];

/** A credited refund of an order. */
export type OrderRefund = Schemas['OrderRefund'];

/** A price that you can order now. */
export type Price = Schemas['Price'];

/** A claim about delivered goods. */
export type Claim = Schemas['Claim'];
export type VoucherClaimRequest = Schemas['VoucherClaimRequest'];
export type TopupClaimRequest = Schemas['TopupClaimRequest'];
export type EsimClaimRequest = Schemas['EsimClaimRequest'];

/** The charges of a top-up or an eSIM. */
export type Charges = Schemas['Charges'];

export type Wallet = Schemas['Wallet'];
/** A bank transfer that you announce. */
export type FundingRequest = Schemas['FundingRequest'];
export type FundingRequestBody = Schemas['FundingRequestBody'];
export type Transaction = Schemas['Transaction'];

/** Money that moved from one wallet to another. */
export type Conversion = Schemas['Conversion'];
export type ConversionRequest = Schemas['ConversionRequest'];

/** What an API key may do. */
export type Scope = Schemas['Scope'];
export type ApiKey = Schemas['ApiKey'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type ApiKeyRequest = Schemas['ApiKeyRequest'];
export type AllowedNetworks = Schemas['AllowedNetworks'];
/** What a member may do in the console. */
export type MemberRole = Schemas['MemberRole'];
export type Member = Schemas['Member'];
export type MemberRequest = Schemas['MemberRequest'];
export type MemberChange = Schemas['MemberChange'];
/** Give `email` or `phone_number`. */
export type RecipientErasureRequest = Schemas['RecipientErasureRequest'];
export type RecipientErasure = Schemas['RecipientErasure'];
export type Activity = Schemas['Activity'];

export type SandboxScenario = Schemas['SandboxScenario'];
/** A failure of the first attempt of an order request. */
export type SandboxFault = NonNullable<SandboxScenario['headers']>['Sandbox-Fault'];

export type Country = Schemas['Country'];
export type Currency = Schemas['Currency'];
export type Category = Schemas['Category'];
export type Subcategory = Schemas['Subcategory'];

export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type CreatedWebhookEndpoint = Schemas['CreatedWebhookEndpoint'];
export type WebhookEndpointRequest = Schemas['WebhookEndpointRequest'];
export type WebhookEndpointChange = Schemas['WebhookEndpointChange'];
export type WebhookSecret = Schemas['WebhookSecret'];
/** The body of a webhook: one type for each `type`. New types may appear; respond to unknown ones with 2xx. */
export type WebhookEvent = Schemas['WebhookEvent'];
export type WebhookResend = Schemas['WebhookResend'];
export type WebhookEventDetail = Schemas['WebhookEventDetail'];
