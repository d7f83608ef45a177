/** The one activity of the bare workflow. */
export const nothing = async (): Promise<void> => undefined;
