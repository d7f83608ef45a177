/** Accepts purchase requests and decides their outcome. */
import { accountBlocked, type NoAnswer } from './misbehaviour';
import type { Esim, Store } from './store';
import { findOffer, plansOf, type EsimOffer, type Offer } from './catalogue';
import type { Controls } from './controls';
import { HttpError } from './http';
import type { Modes } from './modes';
import { scenarioForRecipient } from './sandbox-scenarios';
import type { Purchase, RejectionCode, Scenario } from './purchases';

export interface PurchaseBody {
  reference: string;
  sku: string;
  units: number;
  unit_value: string;
  currency: string;
  input?: Record<string, string>;
  /** The profile that gets the plan. */
  iccid?: string;
}

/** A purchase, whether this call made it, and the reason if the call gets no response. */
export interface Sale {
  purchase: Purchase;
  isNew: boolean;
  unanswered: NoAnswer | undefined;
}

/**
 * Buys once per reference, unless the modes change that: a repeated call returns the first purchase. Returns only the
 * kind of loss if the request was lost. Throws an HttpError if nothing was bought: the request is not for sale (422), the
 * product is busy (503, 429), or the account is blocked (402).
 */
export function createSales(store: Store, controls: Controls): (body: PurchaseBody, modes: Modes) => Sale | NoAnswer {
  /** The rejected calls so far of references without a purchase. */
  const busyCalls = new Map<string, number>();

  function passOrRefuse(reference: string, scenario: Scenario): void {
    const calls = busyCalls.get(reference) ?? 0;
    if (calls === scenario.busyCalls) {
      busyCalls.delete(reference);
      return;
    }
    busyCalls.set(reference, calls + 1);
    throw busy(503, 1);
  }

  function buy(body: PurchaseBody, modes: Modes): Omit<Sale, 'unanswered'> & { scenario?: Scenario } {
    const first = store.findExact(body.reference);
    if (first && !modes.buys_again) return { purchase: first, isNew: false };
    const offer = orderableOffer(body);
    const profile = body.iccid === undefined ? undefined : profileNamed(store, controls, body.iccid);
    requireFitting(offer, body.iccid, profile);
    const scenario = scenarioOf(offer, body.input);
    if (scenario.accountBlocked && !controls.admit(body.reference)) throw accountBlocked(402);
    passOrRefuse(body.reference, scenario);
    return {
      purchase: store.buy({ ...body, ...(profile && { iccid: profile.iccid }) }, offer, scenario),
      isNew: true,
      scenario,
    };
  }

  return (body, modes) => {
    if (modes.busy && controls.useUp('busy', body)) {
      throw busy(modes.busy.status, modes.busy.retry_after_seconds);
    }
    const lost = modes.answer_lost && controls.useUp('answer_lost', body) ? modes.answer_lost : undefined;
    if (lost?.when === 'before_buying') return lost.by;
    const { scenario, ...sale } = buy(body, modes);
    return { ...sale, unanswered: lost?.by ?? (scenario?.dropsResponse ? 'silence' : undefined) };
  };
}

function busy(status: 503 | 429, retryAfterSeconds: number | undefined): HttpError {
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return new HttpError(status, 'BUSY', 'The product is busy. Try again.', headers);
}

function orderableOffer(body: PurchaseBody): Offer {
  const offer = findOffer(body.sku);
  if (!offer?.active) throw refusal('PRODUCT_UNAVAILABLE', `There is no product ${body.sku} for sale.`);
  if (offer.family !== 'VOUCHER' && body.units !== 1) {
    throw new HttpError(400, 'BAD_REQUEST', 'units must be 1 for this product.');
  }
  // A plan has one price. The buyer's own price does not matter here.
  if (offer.family === 'ESIM') return offer;
  const value = Number(body.unit_value);
  const offered = offer.values.some(([min, max]) => value >= min && value <= max);
  if (!offered || body.currency !== offer.currency) {
    throw refusal('AMOUNT_OUT_OF_RANGE', `${body.unit_value} ${body.currency} is no denomination of ${body.sku}.`);
  }
  return offer;
}

/** A recharge needs a profile of the plan's product that can be recharged, and some plans are for recharges only. */
function requireFitting(offer: Offer, iccid: string | undefined, profile: Esim | undefined): void {
  const isRechargeOnly = offer.family === 'ESIM' && offer.isRechargeOnly;
  if (iccid === undefined) {
    if (isRechargeOnly) throw refusal('PRODUCT_UNAVAILABLE', `${offer.sku} only recharges an eSIM.`);
    return;
  }
  if (!rechargesOf(profile).some(({ sku }) => sku === offer.sku))
    throw refusal('INVALID_RECIPIENT', `${offer.sku} cannot recharge this eSIM.`);
}

/** The profile with the ICCID, which the buyer must write as the simulator does; undefined if there is none. */
export function profileNamed(store: Store, controls: Controls, written: string): Esim | undefined {
  const esim = store.esim(written.replace(/F$/, ''));
  const { profile_unknown: isUnknown, filled_iccids: isFilled = false } = esim ? controls.modesFor(esim.purchase) : {};
  return isUnknown || written.endsWith('F') !== isFilled ? undefined : esim;
}

/** The plans that recharge the profile. */
export function rechargesOf(esim: Esim | undefined): EsimOffer[] {
  const own = esim && findOffer(esim.purchase.sku);
  return own?.family === 'ESIM' && own.isRechargeable ? plansOf(own.product) : [];
}

function scenarioOf(offer: Offer, input: PurchaseBody['input'] = {}): Scenario {
  if (offer.family !== 'TOPUP') return offer.scenario;
  const recipient = input[offer.recipientField];
  if (!recipient) throw refusal('INVALID_RECIPIENT', `input.${offer.recipientField} is required.`);
  return scenarioForRecipient(recipient);
}

function refusal(code: RejectionCode, message: string): HttpError {
  return new HttpError(422, code, message);
}
