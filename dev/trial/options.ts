/** The arguments of `npm run suppliers:try`. */
import { Command, InvalidArgumentError } from 'commander';
import ipaddr from 'ipaddr.js';
import { familyIds, type Family } from '../../src/domain/orders/families';
import type { Goods } from './trial';

interface Options {
  sku: Goods[];
  input?: Record<string, string>;
  account?: string;
  record: boolean;
}

/** What to try. `account`: our account at the supplier, for the record. */
export interface Wanted {
  supplier: string;
  goods: Goods[];
  account: string | undefined;
  isRecord: boolean;
}

/** Prints the reason and exits with 1 if the arguments are wrong. */
export function readOptions(args: readonly string[]): Wanted {
  const program = new Command('suppliers:try')
    .description("Buy units to compare a supplier's behaviour with what its adapter declares")
    .argument('<name>', 'the supplier, as in the catalogue')
    .requiredOption(
      '--sku <family=sku@value>',
      'the unit to buy, such as VOUCHER=fixed:1101:USD:10@10USD; repeatable',
      goodsOf,
    )
    .option('--input <field=value>', "the customer's input of a top-up; repeatable", fieldOf)
    .option('--account <name>', 'our account at the supplier, for the record')
    .option('--no-record', 'also accept a host on this machine or in a private network; the output is no record')
    .parse(args, { from: 'user' });
  const { sku, input, account, record: isRecord } = program.opts<Options>();
  if (isRecord && !account)
    program.error('A record names our account at the supplier: add --account <name>, or --no-record.');
  const goods = sku.map((one) => (one.family === 'TOPUP' && input ? { ...one, input } : one));
  return { supplier: program.args[0] as string, goods, account, isRecord };
}

/** Throws for a host (with or without a port) of this machine or of a private network: only a trial at the supplier's own host is a record. */
export function demandOwnHost(address: string): void {
  const host = new URL(`https://${address}`).hostname.replace(/^\[|\]$/g, '');
  const isOurs = host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() !== 'unicast');
  if (isOurs) throw new Error(`${host} is not the supplier's own host: add --no-record to try it all the same.`);
}

function goodsOf(text: string, before: Goods[] = []): Goods[] {
  const [, family, sku, unitValue, currency] = /^([A-Z]+)=(.+)@(\d+(?:\.\d+)?)([A-Z]{3})$/.exec(text) ?? [];
  if (!sku || !unitValue || !currency || !isFamily(family))
    throw new InvalidArgumentError('It must look like VOUCHER=fixed:1101:USD:10@10USD.');
  return [...before, { family, sku, unitValue, currency }];
}

function isFamily(text: string | undefined): text is Family {
  return familyIds.some((id) => id === text);
}

function fieldOf(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, field, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!field || !value) throw new InvalidArgumentError('It must look like phone_number=+12025550100.');
  return { ...before, [field]: value };
}
