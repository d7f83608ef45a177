/** A workflow thread of the SDK that records no stack traces: `workflow-threads.ts` starts it. */
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import '@temporalio/worker/lib/workflow/workflow-worker-thread';

// The SDK calls it at the first message to the thread. Without the hook, it answers queries for stack traces with an error.
Object.assign(globalHandlers, { setPromiseHook: () => undefined });
