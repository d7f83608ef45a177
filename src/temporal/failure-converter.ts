import { DefaultFailureConverter } from '@temporalio/common';

/**
 * How errors are written to Temporal: message and stack go through the payload codec like everything else. Workflows
 * have it in their bundle (see scripts/build.mjs), clients and workers find it by the path of this file.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
