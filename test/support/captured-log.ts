/** A logger whose lines a test reads. */
import type { Logger } from 'pino';
import { createLogger } from '../../src/log';

/** The logger of the service, and what it wrote. */
export function capturedLog(): { log: Logger; written: () => string } {
  const lines: string[] = [];
  const log = createLogger('api', 'info', { write: (line: string) => void lines.push(line) });
  return { log, written: () => lines.join('') };
}
