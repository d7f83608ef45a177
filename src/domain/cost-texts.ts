/**
 * Costs and margins within sentences. A sentence is stored for everyone; a role that sees no costs reads `hidden` in their place
 * (`src/operators/operations/visible-costs.ts`). docs/operators/operations.md#costs.
 */

/**
 * The cost or margin, marked for `withCosts` and `withoutCosts`: between U+E000 and U+E001, which `shown-text.ts` keeps out of the texts of
 * others.
 */
export function markedCost(text: string): string {
  return `\uE000${text}\uE001`;
}

/** SQL: the text of the expression, marked likewise. */
export function markedCostSql(text: string): string {
  return `'\uE000' || ${text} || '\uE001'`;
}

/** A marked cost. A sentence may be cut within one. */
const marked = /\uE000([^\uE001]*)(?:\uE001|$)/g;

/** The sentence for those who see costs. */
export function withCosts(sentence: string): string {
  return sentence.replace(marked, '$1');
}

/** The sentence for everyone else. */
export function withoutCosts(sentence: string): string {
  return sentence.replace(marked, 'hidden');
}

/** The reason for the choice of a source. It is stored with each purchase, and the cost in an old one has no mark: this marks it. */
export function withMarkedChoice(why: string): string {
  return why.replace(
    /^(priority -?\d+, cost )(\d[^,]*)/,
    (_, priority: string, cost: string) => `${priority}${markedCost(cost)}`,
  );
}
