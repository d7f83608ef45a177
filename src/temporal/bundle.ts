/** The workflow bundle: built once, used by every worker, test and replay. */
import path from 'node:path';

/** The bundle that `npm run build` writes beside the compiled code. */
export const workflowBundle = { codePath: path.resolve(__dirname, '../../workflow-bundle.js') };

/** The same workflows, which make spans of what they do: only for workers that trace. */
export const tracedWorkflowBundle = { codePath: path.resolve(__dirname, '../../workflow-bundle-traced.js') };
