import { ConnectionError } from '../data/database/errors';

/** What an operator asked for where the database refused. Constraints by name, see the migrations. */
const sentences: Readonly<Record<string, string>> = {
  clients_name_key: 'There is a client of this name already. See it with: clients show <name>',
  wallets_client_id_currency_code_key:
    'The client has a wallet in this currency. See it with: wallets list <client>',
  wallets_currency_code_fkey: 'That is no currency of ISO 4217.',
  forex_rates_source_currency_fkey: 'The product currency is none of ISO 4217.',
  forex_rates_destination_currency_fkey: 'The wallet currency is none of ISO 4217.',
  forex_rates_check: 'A rate is between two different currencies.',
};

/** The sentence an operator is shown for an error: what is wrong, not where it was noticed. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConnectionError) return `PostgreSQL at DATABASE_URL cannot be used: ${error.message}`;
  const grpc = grpcDetails(error);
  if (grpc !== undefined) return `Temporal at TEMPORAL_ADDRESS cannot be used: ${grpc}`;
  const constraint = 'parent' in error ? (error.parent as { constraint?: string }).constraint : undefined;
  return sentences[constraint ?? ''] ?? error.message;
}

/** What gRPC says of a call that failed; by its shape, because Temporal's client would slow every command down. */
function grpcDetails(error: Error): string | undefined {
  const cause = error.cause instanceof Error ? error.cause : error;
  const isOfGrpc = 'code' in cause && typeof cause.code === 'number' && 'details' in cause;
  return isOfGrpc ? String(cause.details) : undefined;
}
