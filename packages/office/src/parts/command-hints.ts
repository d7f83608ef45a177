/** Texts of operations name commands and options, because the ops CLI prints them, too. Pages have buttons and fields instead. */
import { words } from '../../../parts/src/format';

const hints = [
  // `... (decide it with: orders resolve)`
  / \([^()]* with: [^()]*\)/g,
  // `See them with: wallets list`, and ``Release it with `attention release 4`, then retry.``
  /(?<=^|[.:!?]\s)[A-Z][^.:`]* with(?:: | `)(?:[^.]|\.(?=\S))*(?:\.(?= |$)|$)/g,
  // `: add --force to apply it`
  /: add --force to [^.]*(?=\.)/g,
  // `id; see webhooks list`, `id of catalogue review`
  /;? (?:see|of) [a-z-]+ (?:list|review)$/g,
];

/** `--reason-code`, as the form names the field. */
const option = /--([a-z]+(?:-[a-z]+)*)/g;

/** The text without the hints, with fields instead of options. A text that is only a hint stays as it is. */
export function withoutCommands(text: string): string {
  const rest = hints.reduce((shorter, hint) => shorter.replace(hint, ''), text).trim();
  const named = rest === '' ? text : rest.replace(/ {2,}/g, ' ');
  return named.replace(option, (_, name: string) => `“${words(name.replaceAll('-', '_'))}”`);
}
