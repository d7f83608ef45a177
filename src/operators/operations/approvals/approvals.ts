/** `approvals`: what waits for a second person. docs/operators/approvals.md. */
import { findProposal, listProposals, type Proposal } from '../../../data/approvals/proposals';
import { obstacleToApprove, proposalStates, rolesText } from '../../../domain/approvals';
import { HIDDEN } from '../../../domain/shown-text';
import { Sealer } from '../../../security/sealing';
import {
  flag,
  inTerminal,
  isGivenFile,
  option,
  optionOr,
  word,
  type Arguments,
  type GivenFile,
  type Written,
} from '../arguments';
import type { Context } from '../context';
import { decodedText } from '../files/text-encoding';
import { sentenceOfPart } from '../failure';
import { jsonName } from '../json-arguments';
import { count, id, oneOf, reasonText } from '../kinds';
import { everyRole, operation } from '../operation';
import { openedTexts, readsTexts } from '../order-texts';
import { table, wrapped } from '../text';
import { seesCosts } from '../visible-costs';
import { approveProposal, approverOf, assertDecidable, deciderOf, rejectProposal } from './carried-out-proposals';
import { openCall, openTexts, type OpenedCall } from './proposed-calls';

/** They approve, so they see what they approve. */
const deciders = ['support', 'catalogue', 'finance'] as const;

const proposal = inTerminal(word(id, 'the number of the proposal'), 'number; see approvals list');

/** A decision is about what the proposal is about. */
const textsAbout = async (context: Context, { proposal: number }: { readonly proposal: number }) => {
  const found = await findProposal(context.database, number);
  const { given, hasLostFiles } = await openCall(context, found);
  // They had texts about orders, and cannot be read any more.
  if (hasLostFiles) return null;
  return context.operationNamed(found.operation)?.textsAbout(context, given);
};

const list = operation({
  name: 'approvals list',
  about: 'Operations that wait for a second person, the newest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    state: optionOr(oneOf('state', proposalStates), 'PENDING', 'pending, approved, rejected or expired'),
    mine: flag('only those that you may approve'),
    after: option(id, 'only proposals behind this one, for the next page'),
    limit: optionOr(count, '100', 'maximum number of proposals'),
  },
  columns: {
    id: 'number',
    operation: 'text',
    client: 'text',
    proposer: 'text',
    proposed_at: 'time',
    expires_at: 'time',
    approvers: 'text',
    state: 'text',
    decided_by: 'text',
    decided_at: 'time',
    may_approve: 'flag',
  },
  async run(context, { mine, ...filter }) {
    const { database } = context;
    const approver = mine ? approverOf(context) : undefined;
    return (await listProposals(database, { ...filter, approver })).map((one) => shown(context, one));
  },
});

const show = operation({
  name: 'approvals show',
  about: 'A proposed operation with its arguments, its reason and what it will do',
  roles: everyRole,
  effect: 'reads',
  arguments: { proposal },
  async run(context, { proposal: number }) {
    const found = await findProposal(context.database, number);
    const call = await openCall(context, found);
    const { reason, preview, why } = call;
    const operation = context.operationNamed(found.operation);
    const named = operation?.arguments ?? {};
    const earlier = operation?.requireOther?.(context, call.given, context.account.accountable);
    const obstacle =
      obstacleToApprove(found, deciderOf(context)) ?? (await earlier?.then(() => undefined, sentenceOfPart)) ?? null;
    // Prices have costs in their arguments, and margins in their previews.
    const isVisible = seesCosts(context) || operation?.approval !== 'PRICE' || obstacle === null;
    const isOwn = found.proposerId === context.account.id;
    const shownGiven = isVisible ? await shownFiles(call, named, isOwn || readsTexts(context)) : {};
    const values = Object.entries(shownGiven).filter(([name]) => !named[name]?.isConfidential);
    const texts = [...values.map(([, value]) => value), reason].filter((value) => typeof value === 'string');
    const open = await openedTexts(context, texts);
    return {
      ...shown(context, found),
      why: isVisible ? why : HIDDEN,
      preview: isVisible ? preview : HIDDEN,
      reason: reason === null ? null : open(reason),
      arguments: Object.fromEntries(
        values.map(([name, value]) => [jsonName(name), typeof value === 'string' ? open(value) : value]),
      ),
      obstacle,
    };
  },
  text({ arguments: given, preview, reason, why, obstacle, ...found }, { columns }) {
    const { id: number, operation: name, proposer, proposed_at: at, expires_at: until, approvers, state } = found;
    const decision =
      found.decided_by === null
        ? `waits for approval by ${approvers} until ${until}`
        : `${state} by ${found.decided_by} at ${found.decided_at}`;
    const values = Object.entries(given).map(([argument, value]) => `${argument}: ${written(value)}`);
    return [
      `Proposal ${number}: ${name}, proposed by ${proposer} at ${at}; ${decision}`,
      preview,
      `Reason: ${reason ?? '-'}`,
      `Needs approval: ${why}`,
      ...values,
      ...(obstacle === null || state !== 'PENDING' ? [] : [`You cannot approve it: ${obstacle}`]),
    ]
      .map((line, index) => wrapped(line, columns, index === 0 ? 0 : 2))
      .join('\n');
  },
});

/** A file as a person reads it. */
interface ShownFile {
  name: string;
  text: string;
}

type Shown = Exclude<Written, GivenFile> | ShownFile;

/** The arguments with the texts of their files. `seesTexts`: whether the person may read those about orders, too. */
async function shownFiles(
  { given, hasLostFiles }: OpenedCall,
  described: Arguments,
  seesTexts: boolean,
): Promise<Record<string, Shown>> {
  const shown: Record<string, Shown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isGivenFile(value)) shown[name] = value;
    else {
      const hidden = seesTexts || hasLostFiles ? undefined : await described[name]?.withoutTexts?.(value);
      shown[name] = { name: value.name, text: hidden ?? decodedText(value.bytes) };
    }
  }
  return shown;
}

/** A value as a person reads it. A file is shown as a whole, because it is what the operation will do. */
function written(value: Shown): string {
  return typeof value === 'object' && 'text' in value ? `${value.name}\n${value.text}` : String(value);
}

const decidable =
  (decision: 'APPROVE' | 'REJECT') =>
  async (context: Context, { proposal: number }: { proposal?: number }): Promise<void> => {
    if (number !== undefined) assertDecidable(context, await findProposal(context.database, number), decision);
  };

const approve = operation({
  name: 'approvals approve',
  about: 'Approve a proposed operation of another person, which is then carried out at once',
  roles: deciders,
  effect: 'money',
  arguments: { proposal, reason: option(reasonText, 'the reason, for the audit log') },
  textsAbout,
  trial: 'NONE',
  check: decidable('APPROVE'),
  preview: (context, { proposal: number }) => previewOf(context, number, 'Carries out'),
  async run(context, { proposal: number }) {
    const { proposal: approved, data } = await approveProposal(context, number);
    const { operation: name, proposer } = approved;
    return [{ proposal: number, operation: name, proposer, state: 'APPROVED', result: data }];
  },
  text: (done, { tableColumns }) =>
    done
      .map(({ proposal: number, operation: name, proposer, result }) => {
        const rows = Array.isArray(result) ? (result as object[]) : undefined;
        const outcome = rows ? table(rows, tableColumns) : typeof result === 'string' ? result : JSON.stringify(result);
        return `Proposal ${number} is approved: ${name} of ${proposer} is done.\n${outcome}`;
      })
      .join('\n'),
});

const reject = operation({
  name: 'approvals reject',
  about: 'Reject a proposed operation. Its proposer may withdraw it with this, too',
  roles: deciders,
  effect: 'changes',
  givesAccess: false,
  arguments: { proposal },
  textsAbout,
  trial: 'NONE',
  check: decidable('REJECT'),
  preview: (context, { proposal: number }) => previewOf(context, number, 'Rejects'),
  async run(context, { proposal: number }) {
    const { operation: name, proposer } = await rejectProposal(context, number);
    return [{ proposal: number, operation: name, proposer, state: 'REJECTED' }];
  },
});

async function previewOf(context: Context, number: number, does: string): Promise<string> {
  const found = await findProposal(context.database, number);
  const { preview, reason } = openTexts(new Sealer(await context.keyRing()), found);
  const open = await openedTexts(context, [reason]);
  return `${does} what ${found.proposer} proposed with the reason "${open(reason ?? '')}": ${preview}`;
}

function shown(context: Context, found: Proposal) {
  const { id: number, operation: name, client, proposer, roles, state } = found;
  return {
    id: number,
    operation: name,
    client,
    proposer,
    proposed_at: found.proposedAt,
    expires_at: found.expiresAt,
    approvers: rolesText(roles),
    state,
    decided_by: found.decidedBy,
    decided_at: found.decidedAt,
    may_approve: state === 'PENDING' && obstacleToApprove(found, deciderOf(context)) === undefined,
  };
}

export const approvalOperations = [list, show, approve, reject];
