/** Compares what a trial showed with what the adapter declares. */
import type { SupplierTraits } from '../../src/domain/suppliers/port';
import type { Observation } from './trial';

export interface Row {
  family: string;
  trait: string;
  declared: string;
  observed: string;
  /** The adapter promises more than was seen: a purchase could be made twice or be given up too early. */
  isContradiction: boolean;
}

/** From the safest behaviour to the one that demands most care. */
const byCare: readonly string[] = ['returns-first', 'is-rejected', 'buys-again'];

/** One row for each trait of each observation. */
export function compare(traits: SupplierTraits, observations: readonly Observation[]): Row[] {
  return observations.flatMap(({ family, end, cost, foundAfterMs, repeatedReference, atOnce }) => {
    const needsMoreCare = (seen: string) => byCare.indexOf(seen) > byCare.indexOf(traits.repeatedReference);
    const row = (trait: string, declared: string, observed: string, isContradiction = false): Row => ({
      family,
      trait,
      declared,
      observed,
      isContradiction,
    });
    return [
      row('end of the purchase', '', end),
      row('cost', '', cost),
      row(
        'found by a lookup after',
        `${traits.lookupConclusiveAfterMs} ms`,
        `${foundAfterMs} ms`,
        foundAfterMs > traits.lookupConclusiveAfterMs,
      ),
      row('repeated reference', traits.repeatedReference, repeatedReference, needsMoreCare(repeatedReference)),
      // The service never sends two at the same time, so no adapter declares anything.
      row('two at the same time', '', atOnce),
    ];
  });
}

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ family, trait, declared, observed, isContradiction }) =>
    [family, trait, declared, observed, isContradiction ? '**contradicts**' : ''].join(' | '),
  );
  return ['family | trait | declared | observed | ', '--- | --- | --- | --- | ---', ...lines]
    .map((line) => `| ${line} |`)
    .join('\n');
}
