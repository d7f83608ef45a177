import { escapeHtml } from '../../domain/escape-html';

/** The body of a mail of these paragraphs. They are plain text. */
export function bodyOf(paragraphs: readonly string[]): { text: string; html: string } {
  return {
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
  };
}
