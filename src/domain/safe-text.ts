/**
 * Text that is safe to show in Temporal, logs and records: literals, numbers and words of closed lists. Code that adds other text,
 * such as a supplier's, does not compile. docs/decisions/0031-seal-raw-supplier-responses.md.
 */
declare const own: unique symbol;

/** Only the functions of this file create it. */
export type SafeText = string & { readonly [own]: true };

const safe = (text: string) => text as SafeText;

/** A sentence: safeText`The supplier shows ${2} purchases`. */
export function safeText(literals: TemplateStringsArray, ...values: readonly (number | SafeText)[]): SafeText {
  return safe(literals.reduce((text, literal, index) => `${text}${values[index - 1] ?? ''}${literal}`));
}

/** The text if the list contains it; undefined otherwise. */
export function safeWord(list: readonly string[], text: string): SafeText | undefined {
  return list.includes(text) ? safe(text) : undefined;
}

/** A name from our own settings or catalogue, such as a supplier's; `?` if it does not look like one. */
export function safeName(name: string): SafeText {
  return safe(/^[a-z][a-z0-9-]{0,39}$/i.test(name) ? name : '?');
}

export function joinSafeText(words: readonly SafeText[], separator: SafeText): SafeText {
  return safe(words.join(separator));
}
