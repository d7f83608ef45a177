/** The dialogs of tasks, by operation. The browser loads them together when it opens the first one. */
import type { ComponentType } from 'preact';
import type { TaskProps } from '../parts/task-form';
import { ApproveTask, RejectProposalTask } from './approvals';
import { AcceptTask, RejectTask, SupplierCreditTask } from './claims';
import { CancelTask, ReleaseTask, ResolveTask } from './decisions';
import { OpenClaimTask } from './open-claim';
import { DiscountTask, MarginTask } from './prices';
import { RefundTask } from './refund';
import { RevealTask } from './reveal';
import { StopTask } from './stop';
import { SuspendTask } from './suspension';
import { AdjustTask, FundTask } from './wallets';

export const dialogs = {
  'orders refund': RefundTask,
  'orders cancel': CancelTask,
  'orders release': ReleaseTask,
  'orders resolve': ResolveTask,
  'orders reveal': RevealTask,
  'claims open': OpenClaimTask,
  'claims accept': AcceptTask,
  'claims reject': RejectTask,
  'claims credit': SupplierCreditTask,
  'wallets fund': FundTask,
  'wallets adjust': AdjustTask,
  'clients suspend': SuspendTask,
  'products stop': StopTask,
  'discounts set': DiscountTask,
  'margins set': MarginTask,
  'approvals approve': ApproveTask,
  'approvals reject': RejectProposalTask,
} satisfies Record<string, ComponentType<TaskProps>>;
