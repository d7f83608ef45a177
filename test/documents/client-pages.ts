/** Client pages whose commands are run unchanged, from the first to the last. */
export const clientPages: readonly string[] = [
  'getting-started',
  'sandbox',
  'going-live',
  'reconciliation',
].map((name) => `docs/clients/${name}.md`);
