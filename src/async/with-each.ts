/** Takes the steps one after the other: a failure keeps no other step from being taken. Throws as `withEach` does. */
export function runAllSteps(...steps: (() => Promise<unknown>)[]): Promise<void> {
  return forEachItem(steps, (step) => step());
}

/**
 * Does the work with each item, one after the other: a failure keeps the work from no other item. Throws one error at the
 * end that counts the failures; its cause is the first of them.
 */
export async function forEachItem<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  const [first] = failures;
  if (failures.length === 0) return;
  const message = first instanceof Error ? first.message : 'not an error';
  throw new Error(`${failures.length} failed, the first with: ${message}`, { cause: first });
}
