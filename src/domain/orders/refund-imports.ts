/** Imports of refunds: their workflow, which carries out the refunds that the operator's transaction has decided. */

export interface RefundImportKey {
  importId: number;
  nonce: string;
}

/** The workflow of an import, exported by workflows/index.ts. */
export const refundImportWorkflow = 'refundImport';

export function refundImportWorkflowId({ importId, nonce }: RefundImportKey): string {
  return `refund-import-${importId}-${nonce}`;
}

/** The signal that the import may go on after a pause. */
export const resumeImportSignal = 'resume';

/** What a run of refunds has done. PAUSED: by an operator. ENDED: each refund is credited or waits for its closed wallet. */
export interface RefundRun {
  state: 'RUNNING' | 'PAUSED' | 'ENDED';
  /** The last line that was carried out. */
  line: number;
  /** How many of the refunds of the import are credited. */
  credited: number;
  refunds: number;
}
