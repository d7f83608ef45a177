/** The errors of operations, for operators. No sentence of PostgreSQL, Sequelize or the driver is among them. */
import {
  ConnectionError,
  failedStatement,
  isDatabaseUnavailable,
  type FailedStatement,
} from '../../data/database/errors';
import { byWord } from '../../domain/by-word';

/** Two operators gave one reference at once. The repeated call finds the entry or the refund of the other one. */
const sameReference = Object.fromEntries(
  [
    'operator_references_key_wallet_id_order_id_key',
    'transactions_one_per_reference',
    'transactions_once_per_reference',
    'order_refunds_order_id_reference_key',
  ].map((constraint) => [constraint, 'Another operation has used the reference just now. Repeat the call.']),
);

const sentenceOfConstraint = byWord({
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
});

/** The states with which our own functions raise a sentence for operators. */
const raisedStates: readonly string[] = ['DGREF', 'P0001'];

/** A value that is too long, out of range, or has a character that PostgreSQL cannot store. */
const unstorableStates: readonly string[] = ['22001', '22003', '22008', '22021', '22P05'];

/** A unique key that another call took first, a serialization failure, a deadlock, and a lock that was not free in time. */
const conflictStates: readonly string[] = ['23505', '40001', '40P01', '55P03'];

/** Whether the error says that a value of the call cannot be stored. */
export function isUnstorableValue(error: unknown): boolean {
  return unstorableStates.includes(failedStatement(error)?.state ?? '');
}

/** Whether the error is a fault of the program or of its installation. Operators see no detail of it, and the log has it. */
export function isFault(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return true;
  if (error.cause instanceof Error && failedStatement(error.cause)) return isFault(error.cause);
  const statement = failedStatement(error);
  return statement !== undefined && !isDatabaseUnavailable(error) && ownSentence(statement) === undefined;
}

/** For the log: the codes and names of the statement that the error is about, without its values; undefined for any other error. */
export function failedStatementText(error: unknown): string | undefined {
  const statement = failedStatement(error) ?? (error instanceof Error ? failedStatement(error.cause) : undefined);
  return statement && codesOf(statement);
}

/** The error message for operators, without a stack. Of a statement that fails for no known reason, only its codes and names. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConnectionError)
    return `PostgreSQL at DATABASE_URL cannot be used: ${reasonOfConnection(error)}`;
  const grpc = grpcDetails(error);
  if (grpc !== undefined) return `Temporal at TEMPORAL_ADDRESS cannot be used: ${grpc}`;
  if (isDatabaseUnavailable(error))
    return 'The database did not answer in time. See what the call has changed before you repeat it.';
  const statement = failedStatement(error);
  if (statement !== undefined) return ownSentence(statement) ?? codesOf(statement);
  const repeated = failedStatement(error.cause)?.message;
  return repeated !== undefined && error.message.includes(repeated) ? sentenceOf(error.cause) : error.message;
}

/** The same, for an error that ends a part of an operation. Throws a fault, which must end the whole operation. */
export function sentenceOfPart(error: unknown): string {
  if (isFault(error) || isDatabaseUnavailable(error)) throw error;
  return sentenceOf(error);
}

/** The sentence about a statement that failed for a reason that an operator can remove; undefined for any other. */
function ownSentence({ state, constraint, message }: FailedStatement): string | undefined {
  if (raisedStates.includes(state)) return message;
  const known = sentenceOfConstraint[constraint ?? ''];
  if (known !== undefined) return known;
  if (unstorableStates.includes(state))
    return 'A value is too large, or has a character that cannot be stored. Correct it.';
  if (conflictStates.includes(state))
    return 'Another call changed the same at this moment. See its result before you repeat this call.';
  return undefined;
}

function codesOf({ state, table, constraint }: FailedStatement): string {
  const named = [table && `table ${table}`, constraint && `constraint ${constraint}`].filter(Boolean);
  return `PostgreSQL rejected a statement: ${[`error ${state}`, ...named].join(', ')}. Its log has the statement.`;
}

/** Why no connection is made, by the SQLSTATE or the driver's code. */
const connectionReasons = byWord({
  '28000': 'it rejects the user',
  '28P01': 'it rejects the password',
  '3D000': 'it has no database of this name',
  '53300': 'all its connections are in use',
  '57P03': 'it is starting or stopping',
  ECONNREFUSED: 'no server answers at the address',
  ENOTFOUND: 'the host is unknown',
  ETIMEDOUT: 'the host does not answer',
});

function reasonOfConnection({ parent }: ConnectionError): string {
  const code = 'code' in parent ? String(parent.code) : '';
  return connectionReasons[code] ?? (code === '' ? 'it gives no connection' : `error ${code}`);
}

/** The details of a gRPC error. Recognised by its shape, because loading Temporal's client would slow every command. */
function grpcDetails(error: Error): string | undefined {
  const cause = error.cause instanceof Error ? error.cause : error;
  const isGrpcError = 'code' in cause && typeof cause.code === 'number' && 'details' in cause;
  return isGrpcError ? String(cause.details) : undefined;
}
