/** Stops the stack that the set-up started, if it did. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.ownStack?.stop();
}
