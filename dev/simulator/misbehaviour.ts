/**
 * Responses with requested faults: late, cut off, missing, or with wrong contents. The purchases themselves stay correct.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { goodsOf, type UnitGoods } from './goods';
import { errorReply, HttpError, type Reply } from './http';
import type { Call, Modes } from './modes';
import { type Purchase, statusAt, unitsAt } from './purchases';
import type { Store } from './store';
import { type PurchaseView, viewPurchase } from './views';

/** The reason for a missing answer: silence until the caller's time limit, or a broken connection. */
export type NoAnswer = 'silence' | 'reset';

/** Runs the synchronous work, and sends its result as changed by the modes. */
export async function answer(
  response: Response,
  call: Call,
  modes: Modes,
  work: () => Reply | NoAnswer,
): Promise<void> {
  const outcome = modes.account_blocked?.on.includes(call)
    ? errorReply(accountBlocked(modes.account_blocked.status), response.req)
    : attempt(response, work);
  if (outcome === 'reset') return void response.socket?.resetAndDestroy();
  if (outcome === 'silence' || modes.silent?.includes(call)) return;
  const delayMs = modes.delay_ms?.[call];
  if (delayMs !== undefined) await sleep(delayMs, undefined, { ref: false });
  send(response, outcome, modes.half_json?.includes(call) ?? false);
}

/** The rejection of a buyer with a blocked account. */
export function accountBlocked(status: 402 | 403): HttpError {
  return new HttpError(status, 'ACCOUNT_BLOCKED', 'The account is blocked.');
}

function attempt({ req: request }: Response, work: () => Reply | NoAnswer): Reply | NoAnswer {
  try {
    return work();
  } catch (thrown) {
    return errorReply(thrown, request);
  }
}

function send(response: Response, { status, headers, body }: Reply, half: boolean): void {
  const text = JSON.stringify(body);
  const sent = half ? text.slice(0, Math.floor(text.length / 2)) : text;
  response
    .status(status)
    .set(headers ?? {})
    .type('json')
    .send(sent);
}

/** The purchase as changed by its modes. */
export function viewDistorted(store: Store, purchase: Purchase, modes: Modes): PurchaseView {
  const view = viewPurchase(purchase);
  const shown = [countedWrongly, repeated(store), withProfile(store), filled, damaged].reduce(
    (goods, distort) => distort(goods, purchase, modes),
    view.goods,
  );
  return { ...view, goods: shown };
}

/** The rows of a lookup: the purchase, if it is visible now, and additional rows. */
export function rowsOf(store: Store, purchase: Purchase, modes: Modes): PurchaseView[] {
  if (!isKnown(purchase, modes)) return [];
  const row = viewDistorted(store, purchase, modes);
  const { second_row: second } = modes;
  if (second === undefined) return [row];
  switch (second) {
    case 'refused_first':
      return [viewPurchase(refusedTwin(purchase)), row];
    case 'refused_last':
      return [row, viewPurchase(refusedTwin(purchase))];
    case 'delivered':
      return [row, viewPurchase(deliveredTwin(purchase))];
  }
}

/** Whether lookups and cancellations see the purchase now. */
export function isKnown({ at }: Purchase, modes: Modes): boolean {
  const age = Date.now() - at;
  return age >= (modes.known_after_ms ?? 0) && age < (modes.forgotten_after_ms ?? Infinity);
}

type Distortion = (goods: UnitGoods[], purchase: Purchase, modes: Modes) => UnitGoods[];

const countedWrongly: Distortion = (goods, purchase, { wrong_count: change = 0 }) => {
  const isDelivered = statusAt(purchase, Date.now()) === 'DELIVERED';
  if (change === 0 || !isDelivered) return goods;
  return goodsOf(purchase, Math.max(0, purchase.units + change));
};

function repeated(store: Store): Distortion {
  return (goods, purchase, { repeated_goods: from }) => {
    const [first, ...rest] = goods;
    if (from === undefined || first === undefined) return goods;
    if (from === 'from_another_purchase') return [unitOfAnother(store, purchase) ?? first, ...rest];
    return rest.length === 0 ? goods : [first, ...rest.slice(0, -1), first];
  };
}

/** A unit of the previous purchase of the same kind. That of a recharged eSIM may be a profile. */
function unitOfAnother(store: Store, { id, at, form, family }: Purchase): UnitGoods | undefined {
  const now = Date.now();
  const other = store
    .find()
    .findLast(
      (one) =>
        one.id !== id &&
        one.at <= at &&
        (family === 'ESIM' ? one.family === family : one.form === form) &&
        unitsAt(one, now) > 0,
    );
  return other && goodsOf(other, 1)[0];
}

function withProfile(store: Store): Distortion {
  return (goods, { iccid }, { shows_profile: isShown }) => {
    const esim = isShown && iccid !== undefined ? store.esim(iccid) : undefined;
    return esim ? goods.flatMap(() => goodsOf(esim.purchase, 1)) : goods;
  };
}

const filled: Distortion = (goods, _purchase, { filled_iccids: isFilled }) =>
  isFilled ? goods.map((unit) => ('iccid' in unit ? { ...unit, iccid: `${unit['iccid']}F` } : unit)) : goods;

const damaged: Distortion = (goods, { form }, modes) => {
  // A recharge has no required field, so the damage is a field of the wrong type.
  const unreadable: UnitGoods = form === 'RECHARGE' ? { operator_reference: false } : {};
  return goods.map((unit, index) => {
    if (modes.unreadable_units?.includes(index + 1)) return unreadable;
    return modes.bad_expiry_units?.includes(index + 1) ? { ...unit, expires_at: 'whenever' } : unit;
  });
};

function refusedTwin(purchase: Purchase): Purchase {
  return { ...twin(purchase), endsAt: purchase.at, immediateUnits: 0, ending: 'PRODUCT_OUT_OF_STOCK' };
}

function deliveredTwin(purchase: Purchase): Purchase {
  return { ...twin(purchase), endsAt: purchase.at, ending: 'DELIVERED' };
}

/** An invented purchase, always the same one. */
function twin({ cancelledAt: _, ...purchase }: Purchase): Purchase {
  const seed = createHash('sha256').update(purchase.seed).digest('hex').slice(0, 32);
  return { ...purchase, id: `P${seed.slice(0, 18)}`, seed };
}
