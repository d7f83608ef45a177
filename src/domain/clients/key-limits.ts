/** The states and limits of API keys, for clients and operators. */

export const keyStates = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type KeyState = (typeof keyStates)[number];

/** The maximum number of valid keys of one client. */
export const MAX_KEYS = 100;
/** Characters of a label. */
export const MAX_LABEL_LENGTH = 100;
/** Hours for which a rolled key stays valid. */
export const MAX_OVERLAP_HOURS = 168;
export const DEFAULT_OVERLAP_HOURS = 24;
