/** The dialogs of tasks, which the browser loads together when it opens the first one. */
export { ApproveTask, RejectProposalTask } from './approvals';
export { AcceptTask, RejectTask, SupplierCreditTask } from './claims';
export { CancelTask, ReleaseTask, ResolveTask } from './decisions';
export { OpenClaimTask } from './open-claim';
export { DiscountTask, MarginTask } from './prices';
export { RefundTask } from './refund';
export { RevealTask } from './reveal';
export { StopTask } from './stop';
export { SuspendTask } from './suspension';
export { AdjustTask, FundTask } from './wallets';
