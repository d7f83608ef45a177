/** The message about too many invitations. The SQL function `limit_invitations` has the limits. docs/specification.md#members. */
export const TOO_MANY_INVITATIONS = 'No more than 5 invitations to one address and 500 in all are mailed in an hour';
