/** The workflow bundles: built once, for every worker, test and replay. */
import path from 'node:path';

/** `npm run build` writes the bundles next to the compiled code. */
export const workflowBundle = { codePath: path.resolve(__dirname, '../../workflow-bundle.js') };

/** The same workflows with spans, for workers that trace. */
export const tracedWorkflowBundle = { codePath: path.resolve(__dirname, '../../workflow-bundle-traced.js') };
