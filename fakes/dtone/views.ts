/** Transactions as JSON, with the faults that the modes ask for. */
import { BareNumber, digitsIn, type Digits, withAdditionalFields } from '../kit/responses';
import type { Modes } from '../kit/modes';
import { isoTime, minuteMs, timeOrNull } from '../kit/times';
import { operatorReferenceOf, pinOf, profileOf } from './goods';
import { isEsimTopup } from './outcomes';
import { hasPin, isEsim, partyNames } from './products';
import { classOf, unknownStatus } from './statuses';
import type { Transaction } from './transactions';

/** The documentation does not give the time for confirmation. */
const confirmationMs = 10 * minuteMs;

/** The transaction, in its own state or in the given one. */
export function viewTransaction(transaction: Transaction, modes: Modes, shown = transaction.status): object {
  const { id, request, product, createdAt, confirmedAt } = transaction;
  const status = modes.unknown_state ? unknownStatus : shown;
  const isDelivered = !modes.unknown_state && classOf(shown) === 'COMPLETED';
  const text = digitsIn(modes);
  const view = {
    id: new BareNumber(String(id)),
    external_id: text(request.external_id),
    creation_date: isoTime(createdAt),
    confirmation_expiration_date: isoTime(createdAt + confirmationMs),
    confirmation_date: timeOrNull(confirmedAt),
    status,
    // The operator credits the recipient. In the sandbox, such a transaction can have a PIN, too.
    operator_reference: isDelivered && !hasPin(product) ? text(operatorReferenceOf(id)) : null,
    pin: isDelivered ? viewPin(transaction, text) : null,
    product: viewBoughtProduct(transaction),
    ...viewMoney(transaction),
    benefits: product.benefits,
    promotions: [],
    ...Object.fromEntries(partyNames.map((name) => [name, request[name] ?? null] as const)),
    metadata: isEsim(product) ? viewEsimMetadata(transaction, isDelivered, text) : null,
  };
  return withAdditionalFields(view, modes);
}

function viewPin({ id, outcome }: Transaction, text: Digits) {
  switch (outcome.goods) {
    case 'PIN': {
      const { code, serial } = pinOf(id);
      return { code: text(code), serial: text(serial) };
    }
    case 'PROFILE':
      // The documentation says that `serial` is the ICCID, but not what `code` is for an eSIM.
      return { code: null, serial: text(profileOf(id).iccid) };
    case 'NONE':
      return null;
  }
}

function viewEsimMetadata({ id, request, product }: Transaction, isDelivered: boolean, text: Digits) {
  const isTopup = isEsimTopup(product, request);
  const profile = profileOf(id);
  return {
    type: 'ESIM',
    activation_type: isTopup ? 'TOP_UP' : 'DATA_PLAN',
    // The documentation names the field, but not its contents.
    balance: null,
    ...(isDelivered && !isTopup && { profile: { ...profile, iccid: text(profile.iccid) } }),
  };
}

/** The documentation does not say which fields of the product a transaction repeats. These identify it. */
function viewBoughtProduct({ product }: Transaction) {
  const { id, name, description, service, operator, regions, type } = product;
  return { id, name, description, service, operator, regions, type };
}

function viewMoney({ product, request, amounts }: Transaction) {
  const { source, destination, wholesale, fee } = amounts;
  const price = { ...product.prices.wholesale, amount: wholesale.toNumber(), fee: fee.toNumber() };
  const values = {
    source: { ...product.source, amount: source.toNumber() },
    destination: { ...product.destination, amount: destination.toNumber() },
  };
  return {
    prices: { wholesale: price, retail: null },
    rates: product.rates,
    requested_values: { source: request.source ?? null, destination: request.destination ?? null },
    adjusted_values: values,
  };
}
