/** `orders find`: orders by what an operator knows about them. */
import { findOrders, type OperatorOrderFilter, foundOrderColumns } from '../../../data/orders/order-search';
import { isIccid, normalIccid } from '../../../domain/esims/profile-codes';
import { failureCodes } from '../../../domain/orders/failure-codes';
import { emailRecipient, phoneRecipient, type Recipient } from '../../../domain/orders/recipients';
import { orderStatuses, type OrderStatus } from '../../../domain/orders/order-states';
import { isAmong, recipientReaders } from '../../../domain/operators/roles';
import { isEmailAddress } from '../../../notifications/mail/address';
import {
  confidential,
  flag,
  inTerminal,
  InvalidArgument,
  option,
  optionOr,
  secretOption,
  type Kind,
} from '../arguments';
import { clientIdNamed } from '../client-named';
import { client, count, family, id, withPlaceholder, nameText, oneOf, text } from '../kinds';
import { timeOrAge } from '../time-kinds';
import { everyRole, operation } from '../operation';
import { partsOfCode } from './spellings-of-codes';
import { hashesOf } from './hashed-values';
import { kindsOf } from '../../../domain/row-columns';

/** A recipient, or an ICCID in its normalised form. */
export type SearchedRecipient = Recipient | { kind: 'iccid'; text: string };

/** An ICCID has 18 to 20 digits (ITU-T E.118), more than any phone number. */
export const recipientText: Kind<SearchedRecipient> = {
  placeholder: 'text',
  schema: { type: 'string' },
  read(written) {
    if (isEmailAddress(written.trim())) return emailRecipient(written);
    const iccid = normalIccid(written);
    if (isIccid(iccid, { isTest: true })) return { kind: 'iccid', text: iccid };
    const phone = phoneRecipient(written);
    if (phone) return phone;
    throw new InvalidArgument('Give an e-mail address, a phone number or an ICCID.');
  },
};

/** Statuses, separated by commas; at least one. */
const statuses: Kind<OrderStatus[]> = {
  placeholder: 'list',
  schema: { type: 'string', 'x-choices': orderStatuses.map((status) => status.toLowerCase()) },
  read(written) {
    const names = written
      .split(',')
      .map((name) => name.trim().toUpperCase().replace(/-/g, '_'))
      .filter((name) => name !== '');
    const known = orderStatuses.filter((status) => names.includes(status));
    if (known.length > 0 && known.length === new Set(names).size) return known;
    throw new InvalidArgument(`Give one or more of ${orderStatuses.join(', ').toLowerCase()}, separated by commas.`);
  },
};

export const find = operation({
  name: 'orders find',
  about: 'Orders that match all that is given, newest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    reference: inTerminal(option(text, 'the complete reference of the client'), 'the complete client_reference'),
    client: option(client, 'id, name or API key'),
    status: inTerminal(
      option(statuses, 'one state or more'),
      'one or more of pending, partially_delivered, delivered, failed, cancelled',
    ),
    family: option(family, 'vouchers, topups or esim'),
    supplier: option(nameText, 'the supplier that the order is bought from'),
    product: option(id, 'id, within the family'),
    failure: inTerminal(
      option(oneOf('code', failureCodes), 'why orders failed, such as “Product out of stock”'),
      'failure code, such as PRODUCT_OUT_OF_STOCK',
    ),
    recipient: confidential(
      inTerminal(
        option(recipientText, 'the whole phone number, e-mail address or ICCID'),
        'e-mail address, phone number or ICCID, found by its keyed hash',
      ),
    ),
    voucherCode: inTerminal(
      secretOption(withPlaceholder('code or claim URL', text), 'the whole code or claim URL'),
      'the order of a code or claim URL, which the command reads from standard input and finds by its keyed hash',
    ),
    supplierOrder: option(withPlaceholder('id', text), "the supplier's id of a purchase, or our reference of it"),
    key: option(withPlaceholder('key', text), 'placed with this API key in the last 30 days'),
    since: inTerminal(
      option(timeOrAge, 'placed since this time'),
      'placed since this time, or in the last 90m, 12h, 1d',
    ),
    until: option(timeOrAge, 'placed before this time'),
    oldestFirst: flag('the oldest first'),
    after: option(id, 'only orders behind this one, for the next page'),
    limit: optionOr(count, '50', 'maximum number of orders'),
  },
  columns: kindsOf(foundOrderColumns),
  async run(context, { limit, ...wanted }) {
    const isSensitive = wanted.recipient !== undefined || wanted.voucherCode !== undefined;
    if (isSensitive && !isAmong(recipientReaders, context.role)) throw new Error(noRecipients);
    const { client: owner, reference, status, product, failure, key, ...others } = wanted;
    const { recipient: addressee, voucherCode, ...shared } = others;
    if (product !== undefined && !shared.family)
      throw new Error('Name the family of the product: --family vouchers, topups or esim');
    const filter: OperatorOrderFilter = {
      ...shared,
      clientId: await clientIdNamed(context.database, owner),
      clientReference: reference,
      statuses: status,
      productId: product,
      failureCode: failure,
      recipient: addressee && { kind: addressee.kind, hashes: await hashesOf(context, addressee.text) },
      apiKey: key,
    };
    if (voucherCode === undefined) return findOrders(context.database, filter, limit);
    const orderIds = (await partsOfCode(context, voucherCode)).map(({ orderId }) => orderId);
    return orderIds.length === 0 ? [] : findOrders(context.database, { ...filter, orderIds }, limit);
  },
});

/** Why a role may not search by what only the customer knows. */
export const noRecipients = 'Your role reads no codes and recipients, so it cannot search by them.';
