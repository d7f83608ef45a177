/** `search`: whatever one value names, or begins to name. docs/operators/search.md has every identifier. */
import { isAmong, recipientReaders } from '../../../domain/operators/roles';
import { flag, inTerminal, requiredSecret } from '../arguments';
import { boundedText } from '../kinds';
import { everyRole, operation, type Plain } from '../operation';
import { table } from '../text';
import { ofBeginning } from './begun-values';
import { noRecipients } from './find';
import type { Hit } from './hits';
import { ofCustomer, ofWhole } from './whole-values';

interface Found {
  found: Hit[];
  /** What the role may not search by, and why. */
  not_searched: { by: string; why: string }[];
}

/** The maximum number of hits of one kind. */
const MAX_FOUND = 50;
const MAX_SUGGESTED = 5;

/** More than the longest code. */
const MAX_VALUE_CHARACTERS = 4_096;

const value = boundedText('value', MAX_VALUE_CHARACTERS, 'value');

export const search = operation({
  name: 'search',
  about:
    "What one value names. Found by the beginning, in any case: an order's id or reference, a word of a client's or product's name, the name of a supplier, the address of a member or operator. Found whole: the number of a client, wallet, claim, webhook endpoint, product, variant or transaction, the reference of a refund or of received money, our reference at a supplier or its id, the id of an event or of an order request of the last 30 days, a recipient, a code, an API key. A code names its gift card",
  roles: everyRole,
  effect: 'reads',
  arguments: {
    value: inTerminal(
      requiredSecret(value, 'the value. Recipients and codes are found whole'),
      'the value, which the command reads from standard input. Recipients and codes are found by their keyed hashes',
    ),
    suggest: flag(`only what is found by its beginning or number, at most ${MAX_SUGGESTED} of each kind`),
  },
  columns: {
    by: 'text',
    kind: 'text',
    id: 'number',
    name: 'text',
    client: 'text',
    status: 'text',
    transaction: 'number',
    unit: 'number',
    state: 'text',
  },
  async run(context, { value: text, suggest }): Promise<Found> {
    const searched = { text, limit: suggest ? MAX_SUGGESTED : MAX_FOUND };
    const seesCustomers = isAmong(recipientReaders, context.role);
    const whole = [...ofWhole, ...(seesCustomers ? [ofCustomer] : [])];
    const found: Hit[] = [];
    // One after the other: each takes a connection, which other people wait for.
    for (const one of [...ofBeginning, ...(suggest ? [] : whole)]) found.push(...(await one(context, searched)));
    const isComplete = suggest || seesCustomers;
    return { found, not_searched: isComplete ? [] : [{ by: 'recipients and voucher codes', why: noRecipients }] };
  },
  rows: ({ found }) => found.map(rowOf),
  text: (data, { tableColumns }) =>
    [table(data.found.map(rowOf), tableColumns), ...data.not_searched.map(({ why }) => why)].join('\n'),
});

function rowOf({ by, kind, id, name, order, client, transaction, unit, state }: Plain<Hit>): object {
  const owner = order?.client ?? client?.name ?? null;
  return {
    by,
    kind,
    id,
    name: name ?? order?.product_name ?? null,
    client: owner,
    status: order?.status ?? (kind === 'client' ? client?.status : null) ?? null,
    transaction: transaction?.id ?? null,
    unit,
    state,
  };
}
