/** Questions to the simulator. Nothing is bought by them, so whatever goes wrong may be tried again. */
import { SupplierUnavailable } from '../port';
import type { Answer, Call } from './http';
import { codeWord } from './reading';

/** Reads what is at the path with the reader; errors call it by `pathName`. Throws SupplierUnavailable or SupplierAccountBlocked. */
export type Get = <T>(
  path: string,
  reader: (body: unknown) => T | undefined,
  query?: Readonly<Record<string, string | number>>,
  pathName?: string,
) => Promise<T>;

/** Gives the function that asks. */
export function createGet(call: (call: Call) => Promise<Answer>, timeoutMs: number): Get {
  return async (path, reader, query = {}, pathName = path) => {
    const answer = await call({ method: 'GET', path, pathName, query, timeoutMs });
    return readable(reader(accepted(answer, pathName)), pathName);
  };
}

function accepted(answer: Answer, path: string): unknown {
  if (answer.ok) return answer.body;
  throw new SupplierUnavailable(`simulator: ${path}: ${answer.status} ${codeWord(answer.refusal.code)}`);
}

function readable<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new SupplierUnavailable(`simulator: unreadable answer: ${what}`);
  return value;
}
