/** Purchases as JSON, with the faults that the modes ask for. */
import type { Modes } from '../kit/modes';
import { activationCodeOf } from '../kit/goods';
import { digitsIn, type Digits, withAdditionalFields } from '../kit/responses';
import { dayMs, isoTime } from '../kit/times';
import { messageOf } from './errors';
import { confirmationNumberOf, pinOf, profileOf, redemptionUrlOf } from './goods';
import { viewIdentity, type EsimOffer, type VoucherOffer } from './offers';
import type { Purchase } from './purchases';
import type { Refund } from './refunds';
import { isVoid, unknownStatus, type Status } from './statuses';

/** The response to a POST. */
export function viewAccepted({ request, status }: Purchase, modes: Modes): object {
  return {
    transactionId: digitsIn(modes)(request.transactionId),
    status: modes.unknown_state ? unknownStatus : status,
  };
}

/** The purchase, in its own state or in the given one. */
export function viewPurchase(
  purchase: Purchase,
  modes: Modes,
  refund: Refund | undefined,
  shown = purchase.status,
): object {
  const { offer, request } = purchase;
  const { transactionId, offerId: _offerId, iccid, ...requested } = request;
  const text = digitsIn(modes);
  const isDelivered = !modes.unknown_state && shown === 'DONE';
  const view = {
    transactionId: text(transactionId),
    ...viewIdentity(offer),
    priceType: offer.terms.priceType,
    ...requested,
    ...(iccid !== undefined && { iccid: text(iccid) }),
    status: modes.unknown_state ? unknownStatus : shown,
    ...viewMoney(purchase),
    ...(isDelivered && viewGoods(purchase, text)),
    ...(refund && { refund: { status: refund.status } }),
    ...viewHistory(purchase, shown, modes),
  };
  return withAdditionalFields(view, modes);
}

/**
 * The amounts are integers. The documentation does not name the fields of a purchase that hold their currencies and divisors, so a
 * buyer must not need these fields. Their names are the fake's own.
 */
function viewMoney({ offer: { terms }, amounts }: Purchase) {
  return {
    ...amounts,
    costCurrency: terms.cost.currency,
    costCurrencyDivisor: terms.cost.currencyDivisor,
    priceCurrency: terms.price.currency,
    priceCurrencyDivisor: terms.price.currencyDivisor,
    sendCurrency: terms.send.currency,
    sendCurrencyDivisor: terms.send.currencyDivisor,
  };
}

/** The last entry of the log has the state that the purchase shows. */
function viewHistory({ error, log, createdAt }: Purchase, shown: Status, modes: Modes) {
  const failure = isVoid(shown) && error !== undefined ? { error: viewError(error) } : {};
  const entries = log.map(({ at, status, message }) => ({ dateTime: isoTime(at), status, statusMessage: message }));
  const last = { ...entries.at(-1), status: modes.unknown_state ? unknownStatus : shown };
  return {
    ...(!modes.unknown_state && failure),
    log: [...entries.slice(0, -1), last],
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(log.at(-1)?.at ?? createdAt),
  };
}

function viewError(code: string) {
  return { code, message: messageOf(code), description: `The purchase failed with ${code}.` };
}

function viewGoods(purchase: Purchase, text: Digits): Record<string, unknown> {
  const { offer } = purchase;
  switch (offer.family) {
    case 'topups':
      return { confirmation: viewConfirmation(purchase, text) };
    case 'vouchers':
      return { confirmation: viewConfirmation(purchase, text), receipt: viewReceipt(purchase, offer, text) };
    case 'esim':
      return { confirmation: viewEsim(purchase, offer, text) };
  }
}

function viewConfirmation({ id, log, createdAt }: Purchase, text: Digits) {
  return {
    confirmationNumber: text(confirmationNumberOf(id)),
    externalReferenceId: text(String(id)),
    transactionTime: isoTime(log.at(-1)?.at ?? createdAt),
  };
}

const yearMs = 365 * dayMs;

/** Fields that a delivery type does not have are empty texts: the documentation does not say that they are absent. */
function viewReceipt(purchase: Purchase, { deliveryType, brandName, terms }: VoucherOffer, text: Digits) {
  const { id, createdAt, amounts } = purchase;
  const pin = pinOf(id);
  const isPin = deliveryType === 'EPIN';
  return {
    epin: isPin ? text(pin.code) : '',
    redemptionUrl: deliveryType === 'URL' ? redemptionUrlOf(id) : '',
    voucherId: isPin ? text(pin.serial) : '',
    confirmationNumber: text(confirmationNumberOf(id)),
    expiresAt: isPin ? isoTime(createdAt + yearMs) : '',
    instructions: `Enter the code at the checkout of ${brandName}.`,
    terms: 'The voucher cannot be exchanged for cash.',
    notes: '',
    deliveryType,
    accountId: deliveryType === 'ACCOUNT' ? `ACC-${id}` : '',
    send: amounts.send,
    currency: terms.send.currency,
    currencyDivisor: terms.send.currencyDivisor,
  };
}

/** The confirmation of an eSIM. A plan for an existing eSIM has no activation code, because there is nothing to install. */
function viewEsim({ id, request }: Purchase, { codeForm }: EsimOffer, text: Digits) {
  const externalReferenceId = text(String(id));
  if (request.iccid !== undefined) return { iccid: text(request.iccid), externalReferenceId };
  const { iccid, smdpAddress, matchingId } = profileOf(id);
  return {
    iccid: text(iccid),
    activationCode: codeForm === 'LPA' ? activationCodeOf(smdpAddress, matchingId) : matchingId,
    smdpAddress,
    redemptionInstructions: 'Scan the QR code, or enter the address and the code.',
    externalReferenceId,
  };
}
