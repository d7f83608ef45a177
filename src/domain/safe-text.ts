/**
 * Text that is ours alone: what is said of failures in Temporal, logs and records. It is made of literals, numbers
 * and words of closed lists, so that nothing a supplier sent can get into it by mistake: other text does not
 * compile. docs/decisions/0031-seal-raw-supplier-responses.md.
 */
declare const own: unique symbol;

/** Made by the functions of this file alone. */
export type OwnWords = string & { readonly [own]: true };

/** A sentence: ownWords`The supplier shows ${2} for one reference`. */
export function ownWords(
  literals: TemplateStringsArray,
  ...values: readonly (number | OwnWords)[]
): OwnWords {
  return literals.reduce((text, literal, index) => `${text}${values[index - 1] ?? ''}${literal}`) as OwnWords;
}

/** The text where it is one of the list; undefined for any other. */
export function knownWord(list: readonly string[], text: string): OwnWords | undefined {
  return list.find((word) => word === text) as OwnWords | undefined;
}

/** A name that our own settings or catalogue gave, such as a supplier's; `?` where it does not look like one. */
export function ownName(name: string): OwnWords {
  return (/^[a-z][a-z0-9-]{0,39}$/i.test(name) ? name : '?') as OwnWords;
}

/** Several of them as one text. */
export function joinedWords(words: readonly OwnWords[], separator: OwnWords): OwnWords {
  return words.join(separator) as OwnWords;
}
