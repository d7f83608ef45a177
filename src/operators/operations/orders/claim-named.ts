/** The claim that an operation is about. */
import { findOperatedClaim } from '../../../data/orders/operated-claims';
import { inTerminal, word } from '../arguments';
import type { Context } from '../context';
import { id } from '../kinds';

export const claim = inTerminal(word(id, 'the number of the claim'), 'id; see claims list');
/** The order of the claim, about which the reason is. */
export const textsAbout = async (
  { database }: Pick<Context, 'database'>,
  { claim: claimId }: { readonly claim: number },
) => (await findOperatedClaim(database, claimId)).shown.order_id;
