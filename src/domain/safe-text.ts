/**
 * Text that is ours alone: what is said of failures in Temporal, logs and records. It is made of literals, numbers
 * and words of closed lists, so that nothing a supplier sent can get into it by mistake: other text does not
 * compile. docs/decisions/0031-seal-raw-supplier-responses.md.
 */
declare const own: unique symbol;

/** Made by the functions of this file alone. */
export type SafeText = string & { readonly [own]: true };

/** A sentence: safeText`The supplier shows ${2} for one reference`. */
export function safeText(
  literals: TemplateStringsArray,
  ...values: readonly (number | SafeText)[]
): SafeText {
  return literals.reduce((text, literal, index) => `${text}${values[index - 1] ?? ''}${literal}`) as SafeText;
}

/** The text where it is one of the list; undefined for any other. */
export function safeWord(list: readonly string[], text: string): SafeText | undefined {
  return list.find((word) => word === text) as SafeText | undefined;
}

/** A name that our own settings or catalogue gave, such as a supplier's; `?` where it does not look like one. */
export function safeName(name: string): SafeText {
  return (/^[a-z][a-z0-9-]{0,39}$/i.test(name) ? name : '?') as SafeText;
}

/** Several of them as one text. */
export function joinSafeText(words: readonly SafeText[], separator: SafeText): SafeText {
  return words.join(separator) as SafeText;
}
