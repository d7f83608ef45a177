/**
 * The cards of a code that a person types.
 * Rule: in which spellings the code of a card is searched
 */
import { findCardsOfCode, type CodePart } from '../../../data/orders/card-states';
import type { Context } from '../context';
import { hashesOf } from './hashed-values';

/** The cards of the code as it is written, because codes are case-sensitive; without one, those of its other spellings. */
export async function partsOfCode(context: Context, code: string): Promise<CodePart[]> {
  const ofCodes = async (codes: readonly string[]) => {
    const hashes = await Promise.all(codes.map((one) => hashesOf(context, one)));
    return findCardsOfCode(context.database, hashes.flat(), MAX_PARTS);
  };
  const exact = await ofCodes([code]);
  return exact.length > 0 ? exact : ofCodes(spellingsOf(code));
}

/** More than the orders that share a code, of which only one can have delivered it. */
const MAX_PARTS = 50;

/** How a supplier may have written a code that a person types: in capital letters, without separators or with one after each four characters. */
function spellingsOf(code: string): string[] {
  const bare = code.replace(/[\s-]/g, '');
  const fours = bare.match(/.{1,4}/gu) ?? [];
  return [code, bare, fours.join('-'), fours.join(' ')].flatMap((one) => [one, one.toUpperCase()]);
}
