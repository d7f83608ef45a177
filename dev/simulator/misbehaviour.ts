/**
 * Responses that misbehave on request: late, cut off, missing, or with wrong contents. The purchases themselves stay right.
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

/** Why a call is left without an answer: silence until the caller gives up, or a connection that breaks. */
export type NoAnswer = 'silence' | 'reset';

/** Does the work, which must not wait for anything, and answers with its outcome as the modes want it. */
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

/** The refusal of a buyer whose account is blocked. */
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

/** The purchase as its modes let it be seen. */
export function viewDistorted(store: Store, purchase: Purchase, modes: Modes): PurchaseView {
  const view = viewPurchase(purchase);
  const shown = [countedWrongly, repeated(store), damaged].reduce(
    (goods, distort) => distort(goods, purchase, modes),
    view.goods,
  );
  return { ...view, goods: shown };
}

/** The rows of a look-up: the purchase, where it is to be known now, and what stands beside it. */
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

/** Whether look-ups and cancels know the purchase now. */
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

/** A unit of the last purchase of the same kind before this one. */
function unitOfAnother(store: Store, { id, at, form }: Purchase): UnitGoods | undefined {
  const now = Date.now();
  const other = store
    .find()
    .findLast((one) => one.id !== id && one.at <= at && one.form === form && unitsAt(one, now) > 0);
  return other && goodsOf(other, 1)[0];
}

const damaged: Distortion = (goods, { form }, modes) => {
  // Nothing of a recharge is indispensable, so its damage is a field of the wrong type.
  const unreadable: UnitGoods = form === 'RECHARGE' ? { operator_reference: 0 } : {};
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

/** A purchase that nobody made, always the same one. */
function twin({ cancelledAt: _, ...purchase }: Purchase): Purchase {
  const seed = createHash('sha256').update(purchase.seed).digest('hex').slice(0, 32);
  return { ...purchase, id: `P${seed.slice(0, 18)}`, seed };
}
