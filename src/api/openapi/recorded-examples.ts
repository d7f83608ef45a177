/**
 * Calls and events of a sandbox, recorded by `npm run openapi:record`. They are the examples of the OpenAPI document, so an
 * example shows only states that exist. docs/developers/api-reference.md#examples.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One call, with the values that stand for secrets. */
export interface RecordedCall {
  /** The values of the path's parameters. */
  path: Readonly<Record<string, string | number>>;
  query: Readonly<Record<string, string | number>>;
  /** The body of the request; absent without one. */
  body?: object;
  status: number;
  /** The body of the response, JSON or text; absent without one. Lists are cut. */
  response?: unknown;
}

export interface RecordedExamples {
  /** By the id of the operation. */
  calls: Readonly<Record<string, RecordedCall>>;
  /** One event of each type. */
  events: Readonly<Record<string, RecordedEvent>>;
}

interface RecordedEvent {
  type: string;
  data: object;
}

/** The file that `npm run openapi:record` writes. */
export const EXAMPLES_FILE = 'src/api/openapi/examples.json';

/** Reads the file each time, because most processes render no document. */
export function recordedExamples(): RecordedExamples {
  return JSON.parse(readFileSync(join(__dirname, 'examples.json'), 'utf8')) as RecordedExamples;
}
