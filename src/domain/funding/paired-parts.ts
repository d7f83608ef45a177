/** Which entry of a booking is which part of it, when the bank sends the booking in other words. */
import type { BankBooking, BankPart } from './bank-statement';
import { compact, isTextLike, type PartTexts } from './booking-keys';

/** An entry. `texts`: undefined if they are deleted. */
interface WordedEntry {
  amount: string;
  isReversal: boolean;
  texts: PartTexts | undefined;
}

/**
 * The entry of each part, if every entry stays the payment that people saw. Undefined if the parts have other amounts, or if it is unclear
 * which one is which.
 */
export function pairedParts<Entry extends WordedEntry>(
  entries: readonly Entry[],
  { isReversal, parts }: BankBooking,
): (readonly [Entry, BankPart])[] | undefined {
  if (entries.length !== parts.length) return undefined;
  const free = new Set(entries);
  const pairs: (readonly [Entry, BankPart])[] = [];
  for (const part of parts) {
    const found = [...free].filter(
      (entry) =>
        entry.amount === part.amount &&
        entry.isReversal === (isReversal || part.isReturn) &&
        isOneSender(entry.texts, part, parts.length === 1),
    );
    const [entry, ...others] = found;
    if (!entry || others.some((other) => !haveEqualTexts(entry, other))) return undefined;
    free.delete(entry);
    pairs.push([entry, part]);
  }
  return pairs;
}

/** Whether nothing contradicts. The text of a booking of one part is the bank's to change. */
function isOneSender(texts: PartTexts | undefined, part: BankPart, isOnly: boolean): boolean {
  const fields = ['payer', 'payerAccount', 'endToEndId', ...(isOnly ? [] : (['text'] as const))] as const;
  return fields.every((field) => isTextLike(compact(texts?.[field] ?? ''), compact(part[field])));
}

function haveEqualTexts({ texts: one }: WordedEntry, { texts: other }: WordedEntry): boolean {
  return (['payer', 'payerAccount', 'endToEndId', 'text'] as const).every(
    (field) => compact(one?.[field] ?? '') === compact(other?.[field] ?? ''),
  );
}
