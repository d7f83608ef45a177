/** A logger that captures its lines for a test. */
import type { Logger } from 'pino';
import { createLogger } from '../../src/process/log';

/** The service's logger and its captured lines. */
export function capturedLog(): { log: Logger; written: () => string } {
  const lines: string[] = [];
  const log = createLogger('api', 'info', { write: (line: string) => void lines.push(line) });
  return { log, written: () => lines.join('') };
}
