/**
 * How long what is mailed is valid.
 * Rule: how long invitations, codes by mail and sign-in links are valid
 */

/** The number of days that an invitation is open. */
export const INVITATION_DAYS = 7;
/** How long a code by mail is valid. */
export const MAIL_CODE_MINUTES = 10;
/** How long a sign-in link of a sandbox is valid. */
export const SIGN_IN_LINK_MINUTES = 15;
