/** Orders and proposals after the sale, for tests and pictures of pages. */
import { ops } from '../../support/operator';
import { ended, orderOf, ordersPath, place } from '../../support/orders';
import type { ApiClient, Json } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';

export interface ClaimedOrder {
  id: number;
  /** The order that replaces its second unit. */
  replacement: number;
  /** The claim about its third unit. */
  openClaim: number;
}

const texts = [
  'The shop says that the code is unknown.',
  'The customer sees "already redeemed" at the till.',
  'The page of the shop rejects the PIN. The customer sent a picture, and waits at the counter.',
];

/** Places an order of three vouchers: the first is refunded, the second replaced, and the claim about the third is open. */
export async function placeClaimedOrder(api: ApiClient): Promise<ClaimedOrder> {
  const { id } = await place(api, orderOf('voucher_instant', { quantity: 3, email: 'ann@customer.example' }));
  await ended(api, id);
  const claims: number[] = [];
  for (const [index, text] of texts.entries()) {
    const body = { kind: 'INVALID_CODE', unit: index + 1, text };
    claims.push((await api.post<{ id: number }>(`${ordersPath}/${id}/claims`, body)).body.id);
  }
  const [refunded, replaced, openClaim] = claims as [number, number, number];
  const accept = async (claim: number, how: string) =>
    ops`claims accept ${claim} ${how} --reason "The supplier confirms, ticket 4722"`;
  await accept(refunded, 'refund');
  await accept(replaced, 'replace');
  await ops`claims credit ${refunded} USD=9.50`;
  await ops`claims send ${openClaim} --reason "Asked by email, ticket 4722"`;
  const replacement = await until('the replacement', async () => {
    const { outcome, replacement_order_id: order } = (await api.get<Json>(`/api/v1/claims/${replaced}`)).body;
    return outcome === 'REPLACED' ? Number(order) : undefined;
  });
  return { id, replacement, openClaim };
}

/** Proposes a refund of the order, by a rule that demands a second person. Returns the number of the proposal. */
export async function proposeRefund(order: number): Promise<number> {
  await ops`approval-rules set refund --currency USD --amount 5 --roles finance,admin --reason Agreed
    --operator alice`;
  await ops`orders refund ${order} --amount 9 --reason-code GOODWILL --reference ticket-${order}
    --operator bob`;
  const listed = await ops`approvals list --state pending`;
  return Number(listed[0]?.['id']);
}
