/** Which answers of which operations the tests were given, for `answers-reporter.mjs`. */
import { appendFileSync } from 'node:fs';

export interface SeenAnswer {
  /** `operationId`; null where the request named no operation. */
  operation: string | null;
  status: number;
  /** The error's code; null where it was none. */
  code: string | null;
}

const noted = new Set<string>();

/** Notes the answer where a whole run asks for it. */
export function noteAnswer(seen: SeenAnswer): void {
  const file = process.env['ANSWERS_SEEN'];
  if (file === undefined) return;
  const line = `${JSON.stringify(seen)}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(file, line);
}
