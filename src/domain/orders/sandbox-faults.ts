/**
 * Failures of order requests that a client rehearses in a sandbox. docs/specification.md#sandbox-faults.
 * Rule: which faults a client can rehearse in a sandbox
 */

/** The values of the header `Sandbox-Fault`. */
export const sandboxFaults = ['429', '503', '504-placed', '504-not-placed', 'timeout', 'reset'] as const;

export type SandboxFault = (typeof sandboxFaults)[number];

export function isSandboxFault(text: string): text is SandboxFault {
  return sandboxFaults.some((fault) => fault === text);
}
