import { call, type Values } from '../call';
import { useOperation } from '../office';
import { sentenceOf } from './task-form';

/** What a page says after an operation whose own sentence is for a list of numbers. */
export const sentences = new Map([
  ['attention take', 'Others see now that you work on it.'],
  ['attention release', 'Others see now that it is free.'],
  ['attention withdraw-note', 'The note is withdrawn.'],
]);

/** What takes back each of these operations, with the same arguments. */
const opposites = new Map([
  ['attention take', 'attention release'],
  ['attention release', 'attention take'],
  ['attention note', 'attention withdraw-note'],
]);

/** Takes back what the operation did; undefined if nothing does. Returns what the page says then. */
export function useUndo(
  name: string,
  values: Values,
  done: (() => void) | undefined,
): (() => Promise<string>) | undefined {
  const operation = useOperation(opposites.get(name) ?? '');
  return (
    operation &&
    (() =>
      call({ operation, values })
        .then((answer) => sentences.get(operation.name) ?? sentenceOf(answer))
        .finally(done))
  );
}
