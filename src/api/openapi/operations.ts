/** Every operation of the document, in its order. A router that is mounted in `app.ts` has its operations here. */
import { authOperations } from '../auth/operations';
import { esimOperations } from '../esim/operations';
import { probeOperations } from '../probe-operations';
import { referenceOperations } from '../reference/operations';
import { sandboxOperations } from '../sandbox/operations';
import { statementOperations } from '../statements/operations';
import { supplierOperations } from '../suppliers/operations';
import { topupOperations } from '../topups/operations';
import { transactionOperations } from '../transactions/operations';
import { voucherOperations } from '../vouchers/operations';
import { walletOperations } from '../wallets/operations';
import { webhookOperations } from '../webhooks/operations';
import type { Operations } from './operation';
import { documentOperations } from './document-operations';

export const operations: Operations = {
  ...authOperations,
  ...voucherOperations,
  ...topupOperations,
  ...esimOperations,
  ...walletOperations,
  ...transactionOperations,
  ...statementOperations,
  ...referenceOperations,
  ...webhookOperations,
  ...sandboxOperations,
  ...probeOperations,
  ...documentOperations,
  ...supplierOperations,
};
