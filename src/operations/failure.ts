/** The errors of operations, for operators. */
import { ConnectionError } from '../data/database/errors';

/** Two operators gave one reference at once. The repeated call finds the entry or the refund of the other one. */
const sameReference = Object.fromEntries(
  [
    ...['operator_references_key_wallet_id_order_id_key', 'transactions_one_per_reference'],
    ...['transactions_once_per_reference', 'order_refunds_order_id_reference_key'],
  ].map((constraint) => [
    constraint,
    'Another operation has used the reference just now. Repeat the command.',
  ]),
);

const messageOfConstraint: Readonly<Record<string, string>> = {
  clients_name_key: 'A client with this name already exists. See it with: clients show <name>',
  wallets_client_id_currency_code_key:
    'The client already has a wallet in this currency. See it with: wallets list <client>',
  wallets_currency_code_fkey: 'The currency is not in ISO 4217.',
  forex_rates_source_currency_fkey: 'The product currency is not in ISO 4217.',
  forex_rates_destination_currency_fkey: 'The wallet currency is not in ISO 4217.',
  spend_rules_currency_fkey: 'The currency is not in ISO 4217.',
  approval_rules_currency_fkey: 'The currency is not in ISO 4217.',
  supplier_balance_alerts_currency_fkey: 'The currency is not in ISO 4217.',
  reference_rates_source_currency_fkey: 'A currency is not in ISO 4217.',
  reference_rates_destination_currency_fkey: 'A currency is not in ISO 4217.',
  ...sameReference,
  reference_rates_check: 'A rate needs two different currencies.',
  forex_rates_check: 'A rate needs two different currencies.',
};

/** The error message for operators, without a stack. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConnectionError) return `PostgreSQL at DATABASE_URL cannot be used: ${error.message}`;
  const grpc = grpcDetails(error);
  if (grpc !== undefined) return `Temporal at TEMPORAL_ADDRESS cannot be used: ${grpc}`;
  const constraint = 'parent' in error ? (error.parent as { constraint?: string }).constraint : undefined;
  return messageOfConstraint[constraint ?? ''] ?? error.message;
}

/** The details of a gRPC error. Recognised by its shape, because loading Temporal's client would slow every command. */
function grpcDetails(error: Error): string | undefined {
  const cause = error.cause instanceof Error ? error.cause : error;
  const isGrpcError = 'code' in cause && typeof cause.code === 'number' && 'details' in cause;
  return isGrpcError ? String(cause.details) : undefined;
}
