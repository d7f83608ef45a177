/** Texts of operations name the command that helps, because the ops CLI prints them, too. Pages have buttons instead. */

const hints = [
  // `... (decide it with: orders resolve)`
  / \([^()]* with: [^()]*\)/g,
  // `See them with: wallets list`, and ``Release it with `attention release 4`, then retry.``
  /(?<=^|[.:!?] )[A-Z][^.:`]* with(?:: | `)[^.]*(?:\.(?= |$)|$)/g,
  // `: add --force to apply it`
  /: add --force to [^.]*(?=\.)/g,
];

/** The text without the hints. A text that is only a hint stays as it is. */
export function withoutCommands(text: string): string {
  const rest = hints.reduce((shorter, hint) => shorter.replace(hint, ''), text);
  return rest.trim() === '' ? text : rest.replace(/ {2,}/g, ' ').trim();
}
