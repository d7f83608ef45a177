/** Pages for clients whose commands are run as they stand, from the first to the last. */
export const clientPages: readonly string[] = ['docs/clients/sandbox.md'];
