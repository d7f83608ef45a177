/** Records the responses that tests received from each operation, for `answers-reporter.mjs`. */
import { appendFileSync } from 'node:fs';

export interface SeenAnswer {
  /** `operationId`; null if the request matches no operation. */
  operation: string | null;
  status: number;
  /** The error's code; null if the response is not an error. */
  code: string | null;
}

const noted = new Set<string>();

/** Records the response if a complete test run requests it. */
export function noteAnswer(seen: SeenAnswer): void {
  const file = process.env['ANSWERS_SEEN'];
  if (file === undefined) return;
  const line = `${JSON.stringify(seen)}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(file, line);
}
