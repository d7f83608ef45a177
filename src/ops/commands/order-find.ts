/** `orders find`: the orders that a ticket is about. */
import { InvalidArgumentError, type Command } from 'commander';
import type { Database } from '../../data/database/database';
import type { Config } from '../../config';
import { findOrders, type OrderFilter } from '../../data/orders/order-search';
import { failureCodes, type FailureCode } from '../../domain/orders/failure-codes';
import type { Family } from '../../domain/orders/families';
import { orderStatuses, type OrderStatus } from '../../domain/orders/orders';
import { comparableEmail, comparablePhone } from '../../domain/orders/customer-input';
import { isEmailAddress } from '../../notifications/mail/address';
import { Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { show } from '../output';
import { keysOf, withDatabase } from '../session';
import { clientNamed } from './client-argument';

interface Options {
  reference?: string;
  client?: string;
  status?: OrderStatus[];
  family?: Family;
  supplier?: string;
  product?: number;
  failure?: FailureCode;
  recipient?: Recipient;
  since?: Date;
  until?: Date;
  limit: number;
}

/** Whom goods went to, as the text that is hashed. */
interface Recipient {
  kind: 'email' | 'phone' | 'iccid';
  text: string;
}

export function addFindCommand(orders: Command): void {
  orders
    .command('find')
    .description('Orders that fit all that is given, the newest first')
    .option('--reference <text>', 'the client_reference, whole')
    .option('--client <client>', 'id, name or API key')
    .option('--status <list>', 'some of pending, partially_delivered, delivered, failed, cancelled', statuses)
    .option('--family <family>', 'vouchers, topups or esim', read.family)
    .option('--supplier <name>', 'whom it is bought from')
    .option('--product <id>', 'of the family that --family names', read.positiveInteger)
    .option('--failure <code>', 'failure code, such as OUT_OF_STOCK', failure)
    .option('--recipient <text>', 'e-mail address, phone number or ICCID; found by its keyed hash', recipient)
    .option('--since <time>', 'placed from then on, or so long ago: 90m, 12h, 1d', read.since)
    .option('--until <time>', 'placed before', read.since)
    .option('--limit <n>', 'at most so many', read.positiveInteger, 50)
    .action((options: Options, command: Command) =>
      withDatabase(async (database, config) => {
        const found = await findOrders(database, await filterOf(database, config, options), options.limit);
        show(
          command,
          found.map((order) => ({ ...order })),
        );
      }),
    );
}

async function filterOf(database: Database, config: Config, options: Options): Promise<OrderFilter> {
  const { client, reference, status, family, supplier, product, failure: code } = options;
  const { since, until, recipient: goesTo } = options;
  if (product !== undefined && !family)
    throw new Error('Say of which family the product is: --family vouchers, topups or esim');
  return {
    ...(client !== undefined && { clientId: (await clientNamed(database, client)).id }),
    ...(reference !== undefined && { clientReference: reference }),
    ...(status && { statuses: status }),
    ...(family && { family }),
    ...(supplier !== undefined && { supplier }),
    ...(product !== undefined && { productId: product }),
    ...(code && { failureCode: code }),
    ...(since && { since }),
    ...(until && { until }),
    ...(goesTo && { recipient: { kind: goesTo.kind, hashes: await hashesOf(database, config, goesTo) } }),
  };
}

async function hashesOf(database: Database, config: Config, { text }: Recipient): Promise<Buffer[]> {
  return new Sealer(await keysOf(database, config)).lookupHashes(text);
}

function statuses(text: string): OrderStatus[] {
  const names = read.list(text).map((name) => name.toUpperCase().replace(/-/g, '_'));
  const known = orderStatuses.filter((status) => names.includes(status));
  if (known.length === 0 || known.length < new Set(names).size) {
    throw new InvalidArgumentError(
      `Give some of ${orderStatuses.join(', ').toLowerCase()}, separated by commas.`,
    );
  }
  return known;
}

function failure(text: string): FailureCode {
  const known = failureCodes.find((code) => code === text.toUpperCase());
  if (!known) throw new InvalidArgumentError(`Give one of ${failureCodes.join(', ')}.`);
  return known;
}

/** An ICCID has 18 to 20 digits, more than any phone number. ITU-T E.118. */
function recipient(text: string): Recipient {
  if (isEmailAddress(text.trim())) return { kind: 'email', text: comparableEmail(text) };
  const digits = text.replace(/[\s-]/g, '');
  if (/^[0-9]{18,20}$/.test(digits)) return { kind: 'iccid', text: digits };
  const phone = comparablePhone(text);
  if (phone === undefined)
    throw new InvalidArgumentError('Give an e-mail address, a phone number or an ICCID.');
  return { kind: 'phone', text: phone };
}
