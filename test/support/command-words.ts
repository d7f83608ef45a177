/** Commands of the ops CLI as an operator types them. */
import { shellWords } from '../documents/shell-words';

/** `` `orders cancel ${id} --reason "Waited for long enough"` ``. A value is one word or a part of one; a list is several words. */
export type Typed = [texts: TemplateStringsArray, ...values: unknown[]];

/** The words of the command, whatever its values contain. */
export function wordsOf([texts, ...values]: Typed): string[] {
  // Values stand in place of marks, which no text of a test has, so quotes and blanks in them mean nothing.
  const marked = texts.reduce((before, next, index) => `${before}\uE000${index - 1}\uE001${next}`);
  return shellWords(marked).flatMap((word) => {
    const value = values[Number(/^\uE000(\d+)\uE001$/.exec(word)?.[1])];
    if (Array.isArray(value)) return value.map(String);
    return word.replace(/\uE000(\d+)\uE001/g, (_, index: string) => String(values[Number(index)]));
  });
}
