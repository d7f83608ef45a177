/** HTML whose values are escaped. */
import { escapeHtml } from '../domain/escape-html';

/** A piece of HTML. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[] | undefined;

/** Texts are escaped, pieces of HTML are not; an undefined value is nothing. Quote the values of attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index])).join(''));
}

function textOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}
