/** How far long work has come, for those who wait: on stderr, which no script reads. */

import { printable } from './output';

/** Says how far it is. Said more often than can be read, it is told now and then. */
export type Tell = (sentence: string) => void;

/** Lines from the third second on, and at most every three: for work that prints in between. */
export function tellInLines(): Tell {
  return atMostEvery(3_000, (sentence) => console.error(sentence));
}

/** On a terminal one line that changes; elsewhere lines. */
export async function withProgress<T>(work: (tell: Tell) => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work(tellInLines());
  try {
    return await work(
      atMostEvery(100, (sentence) =>
        stderr.write(`${clearLine}${printable(sentence).slice(0, (stderr.columns || 80) - 1)}`),
      ),
    );
  } finally {
    stderr.write(clearLine);
  }
}

/** To the line's beginning, and away with the rest of it. */
const clearLine = '\r\u001b[K';

function atMostEvery(milliseconds: number, tell: Tell): Tell {
  let toldAt = performance.now();
  return (sentence) => {
    if (performance.now() - toldAt < milliseconds) return;
    toldAt = performance.now();
    tell(sentence);
  };
}
