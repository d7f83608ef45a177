/** What suppliers credit us for claimed goods. docs/operators/claims.md. */
import type { Transaction } from '../../../data/database/database';
import { findOperatedClaim, recordSupplierCredit, type RecordedCredit } from '../../../data/orders/operated-claims';
import { markedCost } from '../../../domain/cost-texts';
import { flag, word } from '../arguments';
import type { Context } from '../context';
import { ForceRequired } from '../guarded-prices';
import { money } from '../kinds';
import { operation } from '../operation';
import { tried } from '../tried';
import { claim, textsAbout } from './claim-named';

const forceCredit = flag("accept a supplier's credit above the cost of the unit");

export type SupplierCredit = Parameters<typeof recordSupplierCredit>[1];

/** Records the credit. Throws `ForceRequired` if the credits for the unit exceed its cost, and the operator does not force it. */
export async function recordedCredit(database: Context['database'], credit: SupplierCredit, transaction?: Transaction) {
  const recorded = await recordSupplierCredit(database, credit, transaction);
  if (recorded.isRecorded) return recorded;
  throw new ForceRequired(`${boundText(credit.id, recorded)}: add --force to record more. Nothing was changed.`);
}

function boundText(claimId: number, { most, isCostKnown, currency }: RecordedCredit): string {
  const sum = `${most} ${currency}`;
  const bound = isCostKnown
    ? `the unit cost ${markedCost(sum)}`
    : `the cost of the unit is unknown, and the client paid ${sum}`;
  return `The credits for the unit of claim ${claimId} would exceed what we lost: ${bound}`;
}

export const credit = operation({
  name: 'claims credit',
  button: 'Record a credit',
  about:
    'Record what the supplier credits us for claimed goods, at the present rate: all claims of a unit together at most its cost. A later ' +
    'credit of the claim replaces it',
  roles: ['support', 'finance'],
  effect: 'changes',
  givesAccess: false,
  approval: 'REFUND',
  arguments: { claim, credit: word(money, 'currency and amount'), force: forceCredit },
  textsAbout,
  trial: 'PREVIEW',
  check: async ({ database }, { claim: claimId }) => claimId === undefined || findOperatedClaim(database, claimId),
  async preview(context, { claim: id, credit: given }) {
    const [currency, amount] = given;
    const before = (await findOperatedClaim(context.database, id)).shown;
    const recorded = await tried(context, ({ database }) =>
      recordSupplierCredit(database, { id, credit: given, force: false }),
    );
    const needs = recorded.isRecorded ? '' : ` ${boundText(id, recorded)}: it needs --force.`;
    return `Records that the supplier credits ${amount} ${currency} for claim ${id}, which is ${before.state}. Recorded before: ${before.supplier_credit ?? 'nothing'}.${needs}`;
  },
  async run({ database }, { claim: id, credit: given, force: isForced }) {
    await recordedCredit(database, { id, credit: given, force: isForced });
    const [currency, amount] = given;
    return `The supplier credits ${amount} ${currency} for claim ${id}.`;
  },
});
