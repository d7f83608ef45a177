/** Client pages whose commands are run unchanged, from the first to the last. */
export const clientPages: readonly string[] = [
  'getting-started',
  'authentication',
  'sandbox',
  'gift-cards',
  'top-ups',
  'esims',
  'currencies',
  'webhooks',
  'going-live',
  'reconciliation',
].map((name) => `docs/clients/${name}.md`);
