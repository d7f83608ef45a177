/** What the console reads of the API's answers. docs/specification.md has all of it. */

export type Feature = 'vouchers' | 'topups' | 'esim';

export interface Session {
  client_id: number;
  client_name: string;
  features: Feature[];
  mode: 'sandbox' | 'production';
  expires_at: string;
}

export interface Wallet {
  id: number;
  currency_code: string;
  balance: number;
  is_default: boolean;
  low_balance_threshold: number | null;
}

export interface Transaction {
  id: number;
  amount: number;
  transaction_type: 'CREDIT' | 'DEBIT';
  remarks: string;
  reference_number: string;
  created_at: string;
}

/** What the lists of the three families have in common, and each its own. */
export interface ListedOrder {
  id: number;
  product_name: string;
  client_reference?: string;
  status: string;
  quantity?: number;
  amount: number;
  currency: string;
  placed_at?: string;
  created_at?: string;
}

export interface Voucher {
  card_number: string | null;
  pin_code: string | null;
  claim_url: string | null;
  expires_at: string | null;
  voucher_reference_number: string | null;
}

/** One order of any family; what a family has not is missing. */
export interface Order {
  id: number;
  product_name: string;
  client_reference?: string;
  status: string;
  status_text?: string;
  message?: string;
  charged_amount: number;
  charged_currency: string;
  refunded_amount: number;
  transaction_id?: number;
  failure_code?: string;
  failure_reason?: string;
  is_user_fixable?: boolean;
  placed_at?: string;
  created_at?: string;
  completed_at?: string;
  email?: string;
  quantity?: number;
  denomination?: number;
  base_currency?: string;
  vouchers?: Voucher[];
  variant_name?: string;
  input_data?: Record<string, string>;
  activation_code?: string;
  activation_status?: string;
  iccid?: string;
  installed_at?: string;
  activated_at?: string;
  data_amount_gb?: number;
  validity_days?: number;
}

export interface InputField {
  field_name: string;
  field_label: string;
  field_type: 'text' | 'number' | 'phone' | 'select';
  is_required: boolean;
  validation_regex?: string;
  placeholder?: string;
  help_text?: string;
  options?: { value: string; label: string }[];
}

export interface Product {
  id: number;
  name: string;
  country_code: string;
  currency_code: string;
  category?: string;
  topup_type?: string;
  available_denominations?: { min_value: number; max_value: number; discount: number }[];
  input_fields?: InputField[];
  variants?: Variant[];
}

export interface Variant {
  id: number;
  name: string;
  currency_code: string;
  amount?: number;
  fixed_amounts?: string[];
  min_amount?: number;
  max_amount?: number;
}

export interface Charges {
  non_discounted_total: number;
  discount_amount: number;
  total_amount: number;
  total_payable: number;
  max_quantity?: number;
  charges_details: {
    source_currency: string;
    destination_currency: string;
    forex_rate?: number | null;
    conversion_fee?: number | null;
  };
}

export interface Endpoint {
  id: number;
  url: string;
  description: string;
  event_types: string[];
  enabled: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  verified_at: string | null;
}

export interface EventDetail {
  id: string;
  type: string;
  created_at: string;
  data: unknown;
  deliveries: { endpoint_id: number; status: string; tries: number; next_try_at: string | null }[];
  attempts: Omit<LiveAttempt, 'event_id'>[];
}

export interface Scenario {
  name: string;
  method: string;
  path: string;
  body: object;
  initial_status: string;
  final_status: string;
  failure_code?: string;
}

/** What the stream tells. docs/clients/console.md#the-stream. */
export interface LiveOrder extends ListedOrder {
  family: Feature;
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
  wallets: { id: number; currency_code: string; balance: number }[];
  usage: Usage[];
  orders: LiveOrder[];
  events: LiveEvent[];
  attempts: LiveAttempt[];
  is_cut?: true;
}
