/** The objects of the API that the console shows. The types come from the OpenAPI document. docs/specification.md. */
import type {
  Activity,
  Charges as VariantCharges,
  EsimOrder,
  EsimProductDetail,
  EsimVariant,
  Price,
  TopupOrder,
  TopupProductDetail,
  TopupVariant,
  VoucherCharges,
  VoucherOrder,
  VoucherProductDetail,
} from '../../client/src/models.ts';

export type {
  AllowedNetworks as Networks,
  ApiKey,
  Claim,
  CreatedApiKey,
  FundingRequest,
  EsimInstallation,
  EsimUsage,
  Member,
  MemberRole,
  OrderRefund,
  Price,
  SandboxScenario as Scenario,
  Transaction,
  Voucher,
  Wallet,
  WebhookEndpoint as Endpoint,
  WebhookEventDetail as EventDetail,
} from '../../client/src/models.ts';

type KeyOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Key extends PropertyKey> = Union extends { readonly [K in Key]?: infer Value } ? Value : never;

/** An object of any family: the fields that all families have, and the others as optional fields. */
type AnyOf<Union> = Pick<Union, keyof Union> & {
  [Key in Exclude<KeyOf<Union>, keyof Union>]?: ValueOf<Union, Key> | undefined;
};

export type Order = AnyOf<VoucherOrder | TopupOrder | EsimOrder>;
export type Product = AnyOf<VoucherProductDetail | TopupProductDetail | EsimProductDetail>;
export type Variant = AnyOf<TopupVariant | EsimVariant>;
export type Charges = AnyOf<VoucherCharges | VariantCharges>;
export type InputField = TopupProductDetail['input_fields'][number];

export type Feature = 'vouchers' | 'topups' | 'esim';

/** The responses of `/console/session`. docs/clients/console.md. */
export interface Session {
  client_id: number;
  client_name: string;
  features: Feature[];
  mode: 'sandbox' | 'production';
  /** The scopes that the API key, or the role of the member, lacks. */
  missing_scopes: string[];
  /** The currencies in which we receive bank transfers. */
  funding_currencies: string[];
  /** Null for a session of an API key. */
  member: { id: number; name: string; email: string; role: string } | null;
  expires_at: string;
}

/** The accounts of a person who has signed in. */
export interface Accounts {
  email: string;
  accounts: { member_id: number; client_name: string }[];
}

/** The members of the account, removed ones included. */
export interface MemberNames {
  members: { id: number; email: string }[];
}

/** A live session of a member. */
export interface MemberSession {
  id: string;
  email: string;
  browser: string | null;
  address: string | null;
  last_used_at: string;
  expires_at: string;
}

/** The data of the console's own routes. docs/developers/console.md#data-of-the-console. */
export interface ActivityPart {
  entries: Activity[];
  /** The entry before which the next part begins; null after the last one. */
  next: number | null;
}

export interface OrderPart {
  orders: LiveOrder[];
  /** The order after which the next part begins; null after the last one. */
  next: number | null;
}

export interface PricePart {
  prices: Price[];
  /** The number of prices before the next part; null after the last one. */
  next: number | null;
}

export interface TimelineAttempt {
  endpoint_id: number;
  url: string;
  attempted_at: string;
  duration_ms: number;
  success: boolean;
  response_status: number | null;
  error: string | null;
}

export interface Timeline {
  placed_at: string;
  completed_at: string | null;
  events: {
    id: string;
    type: string;
    created_at: string;
    deliveries: { endpoint_id: number; url: string; status: string; next_try_at: string | null }[];
    attempts: TimelineAttempt[];
  }[];
}

export interface LoggedRequest {
  id: number;
  at: string;
  method: string;
  /** With parameters as `:name`; `none` for an unknown path. */
  path: string;
  channel: 'api' | 'console';
  /** Null for a member. */
  api_key: string | null;
  /** The email address of the member; null for an API key. */
  member: string | null;
  /** Null if the connection closed before the response. */
  status: number | null;
  error_code: string | null;
  error_message: string | null;
  order_id: number | null;
  /** Null if the order is not one of the account. */
  order_family: Feature | null;
  client_reference: string | null;
  idempotency_key: string | null;
  duration_ms: number;
  request_id: string;
}

/** `NONE`: no endpoint takes the event. */
export type EventState = 'WAITING' | 'FAILED' | 'DELIVERED' | 'SKIPPED' | 'NONE';

export interface ListedEvent extends LiveEvent {
  state: EventState;
  /** Numbers of its deliveries. */
  waiting: number;
  failed: number;
  delivered: number;
  next_attempt_at: string | null;
}

export interface EventPart {
  events: ListedEvent[];
  next: number | null;
}

export interface WaitingEvents {
  id: number;
  waiting: number;
  /** Whether there are more than this number. */
  is_more: boolean;
  next_attempt_at: string | null;
}

export interface EventTypes {
  event_types: string[];
  /** The types that an endpoint with an empty list does not receive. */
  only_by_name: string[];
}

/** Orders of one day, or of one product, with the same result. Amounts are decimals as text. */
export interface OrderGroup {
  /** From 0; null in a group of a product. */
  day: number | null;
  /** Null in a group of a day. */
  family: Feature | null;
  product_id: number | null;
  product_name: string | null;
  status: string;
  failure_code: string | null;
  currency: string;
  orders: number;
  charged: string;
  refunded: string;
}

export interface OrderSummary {
  groups: OrderGroup[];
  /** Whether older orders are left out. */
  is_cut: boolean;
}

/** The balances of a wallet over a period. Amounts are decimals as text. */
export interface BalanceHistory {
  from: string;
  to: string;
  minor_unit: number;
  opening_balance: string;
  points: { at: string; balance: string }[];
  /** Whether older movements of the period are left out. */
  is_cut: boolean;
}

/** What the account has done on the way to its first real order. */
export type DoneSteps = Record<
  | 'has_key'
  | 'has_order'
  | 'has_program_order'
  | 'has_endpoint'
  | 'has_refund_events'
  | 'has_rehearsal'
  | 'has_networks'
  | 'has_thresholds',
  boolean
>;

export interface ErrorGroup extends Pick<LoggedRequest, 'method' | 'path'> {
  error_code: string;
  error_message: string;
  count: number;
  latest_at: string;
  latest_request_id: string;
}

export interface RequestPart {
  requests: LoggedRequest[];
  next: number | null;
}

/** The messages of the stream. docs/developers/console.md#the-stream. */
export interface LiveOrder {
  id: number;
  family: Feature;
  product_name: string;
  client_reference?: string | undefined;
  status: string;
  quantity: number;
  delivered_quantity: number;
  amount: number;
  currency: string;
  placed_at?: string | undefined;
}

export interface LiveEvent {
  id: string;
  type: string;
  order_id: number | null;
  created_at: string;
}

export interface LiveAttempt {
  event_id: string;
  endpoint_id: number;
  attempted_at: string;
  duration_ms: number;
  success: boolean;
  response_status: number | null;
  error: string | null;
}

export interface Usage {
  name: string;
  limit: number;
  remaining: number;
}

export interface LiveState {
  wallets: { id: number; currency_code: string; balance: number; available: number }[];
  usage: Usage[];
  orders: LiveOrder[];
  events: LiveEvent[];
  attempts: LiveAttempt[];
  is_cut?: true;
}
