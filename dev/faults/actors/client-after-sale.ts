/** A client after the sale: claims delivered goods, and erases recipients. */
import { collections, type Family } from '../plan/orders';
import { share } from '../random';
import { goodsOf, type OrderView } from './api';
import { picked } from './after-sale';
import type { ApiUser } from './client';

interface ClaimView {
  id: number;
}

/** What the client says is wrong with the goods. */
const kinds = { VOUCHER: 'INVALID_CODE', TOPUP: 'NOT_RECEIVED', ESIM: 'NOT_WORKING' } as const;
const families = Object.keys(kinds) as Family[];

/**
 * Claims a delivered unit (`claimUnit`). `choice`, from 0 to 1, selects order and unit. Returns what happened.
 */
export async function claimGoods(user: ApiUser, choice: number): Promise<string> {
  const { name, api } = user;
  const lists = families.map(async (family) => {
    const { status, body } = await api.call<OrderView[]>('GET', `${collections[family]}?status=DELIVERED`);
    return status === 200 ? body.map((order) => ({ ...order, family })) : [];
  });
  const order = picked((await Promise.all(lists)).flat(), choice);
  if (!order) return `${name} has no delivered order`;
  const unit = 1 + Math.floor(share(choice, 4) * (order.quantity ?? 1));
  return (await claimUnit(user, order, unit)).told;
}

/**
 * Claims the unit, twice at once: both get the same claim. Keeps the goods of the order in `claimed`. Returns the claim, if the service took it,
 * and what happened.
 */
export async function claimUnit(
  { api, claimed }: ApiUser,
  order: OrderView & { family: Family },
  unit: number,
): Promise<{ claim: number | undefined; told: string }> {
  const { family } = order;
  const claim = { kind: kinds[family], text: 'It does not work', ...(family === 'VOUCHER' && { unit }) };
  const path = `${collections[family]}/${order.id}`;
  const read = await api.call<OrderView>('GET', path);
  if (read.status === 200) claimed.set(order.id, goodsOf(read.body));
  const file = () => api.call<Partial<ClaimView>>('POST', `${path}/claims`, claim);
  const answers = await Promise.all([file(), file()]);
  const told = answers.map((answer) => `${answer.status} ${answer.body.id ?? ''}`.trim());
  const filed = answers.find(({ body }) => body.id !== undefined)?.body.id;
  return { claim: filed, told: `order ${order.id}, unit ${unit}: ${told.join(', ')}` };
}

/** Erases the address that gets the mail of one of its orders. `choice`, from 0 to 1, selects it. Returns what happened. */
export async function eraseRecipient(user: ApiUser, choice: number): Promise<string> {
  const [orderId, email] = picked([...user.mailTo], choice) ?? [];
  if (orderId === undefined || email === undefined) return `${user.name} knows no recipient`;
  const { status, body } = await erase(user, email);
  if (status === 200) user.erased.add(orderId);
  return `order ${orderId}: ${status}, ${body.erased} erased, ${body.pending} pending`;
}

/** Repeats the call for each erased address. Returns the number of orders that are still to be erased. */
export async function pendingErasures(user: ApiUser): Promise<number> {
  let left = 0;
  for (const orderId of user.erased) {
    const { status, body } = await erase(user, user.mailTo.get(orderId) ?? '');
    left += status === 200 ? (body.pending ?? 0) : 1;
  }
  return left;
}

function erase({ api }: ApiUser, email: string) {
  return api.call<{ erased?: number; pending?: number }>('POST', '/api/v1/recipients/erase', { email });
}
