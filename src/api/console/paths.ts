/** The paths of the console below which the session's cookie authenticates. */

/** The paths of data that only the console reads. */
export const CONSOLE_DATA = '/console/api';

/** The API's routes under the console's path. */
export const CONSOLE_API = `${CONSOLE_DATA}/v1`;
