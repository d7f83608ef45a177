/** Where a gift card stands, in words. */
const texts = new Map([
  ['REFUNDABLE', 'not refunded'],
  ['REFUNDED', 'refunded'],
  ['PARTLY_REFUNDED', 'refunded in part'],
  ['REPLACED', 'replaced'],
  ['REDEEMED', 'redeemed'],
  ['VOIDED', 'void, because what it replaced was refunded'],
  ['QUARANTINED', 'quarantined: no client was shown the code'],
]);

export const cardStateText = (state: string): string => texts.get(state) ?? state.toLowerCase();

/** The part of an order that has a code. Only a quarantined code is of no card. */
export const partText = (unit: number | null): string => (unit === null ? 'A code' : `Card ${unit}`);
