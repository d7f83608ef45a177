/** Attempts of operations that rules of approval limit: what they return, and what has to be known before they are kept. */
import { countedClient, countedSums, type StoredApprovalRule } from '../../../data/approvals/stored-approval-rules';
import { exceededRules, newestCounted, type ExceededRule } from '../../../data/approvals/exceeded-rules';
import { ruledTexts, type Demand } from '../../../domain/approvals';
import { Exact } from '../../../domain/prices/money';
import type { Given } from '../arguments';
import type { Context, NamedOperation } from '../context';
import { sentenceOfPart } from '../failure';

export interface OperationAttempt {
  data: unknown;
  mark: 0 | 1 | 2;
  demands: Demand[];
  /** The changes of prices and rates beyond the limit, as sentences. */
  beyondGuard: string[];
  /** What follows the commit. */
  later: (() => Promise<void>)[];
  /** The client whose money moves; null for none or several. */
  clientId: number | null;
  /** The money that rules count, such as `49.37 USD`. */
  sums: string[];
}

/** The operation with its preview as a person reads it, and with what must still be so at its approval. */
export interface Previewed {
  text: string | undefined;
  basis: string | undefined;
}

/**
 * Reads the preview of an operation that has not run, or was undone. If a second person decides about a large change, the preview does
 * not ask for `--force`. An approved operation with a basis says itself what prevents it.
 */
export async function previewed(
  context: Context,
  { preview, basis }: Pick<NamedOperation, 'preview' | 'basis'>,
  given: Given,
  rules: readonly StoredApprovalRule[] | 'APPROVED',
): Promise<Previewed> {
  const isRuled = rules === 'APPROVED' || priceRule(rules) !== undefined;
  const reading = Promise.resolve(preview?.({ ...context, beyondGuard: () => isRuled }, given));
  const text = await (basis && rules === 'APPROVED' ? reading.catch(sentenceOfPart) : reading);
  return { text, basis: basis ? await basis(context, given) : text };
}

const priceRule = (rules: readonly StoredApprovalRule[]) => rules.find(({ operation }) => operation === 'PRICE');

/** Runs the operation in the transaction of the caller, who keeps or undoes it. An approved one may change prices beyond the limit. */
export async function attempted(
  context: Context,
  operation: { run?: NamedOperation['run'] },
  given: Given,
  rules: readonly StoredApprovalRule[] | 'APPROVED',
): Promise<OperationAttempt> {
  const { database, account } = context;
  const attempt: OperationAttempt = {
    data: undefined,
    mark: 0,
    demands: [],
    beyondGuard: [],
    later: [],
    clientId: null,
    sums: [],
  };
  const counted = { person: account.accountable, after: await newestCounted(database) };
  const priceRoles = rules === 'APPROVED' ? [] : priceRule(rules)?.roles;
  attempt.data = await operation.run?.(
    {
      ...context,
      mark: (code) => void (attempt.mark = code),
      demandApproval: (demand) => void attempt.demands.push(demand),
      beyondGuard: (why) => {
        if (!priceRoles) return false;
        attempt.beyondGuard.push(why);
        attempt.demands.push({ roles: priceRoles, why });
        return true;
      },
      onceCommitted: (work) => Promise.resolve(void attempt.later.push(work)),
    },
    given,
  );
  attempt.demands.push(...(await exceededRules(database, counted)).map(demandOf));
  attempt.clientId = await countedClient(database, counted);
  attempt.sums = await countedSums(database, counted);
  return attempt;
}

function demandOf(rule: ExceededRule): Demand {
  const { operation, currency, amount, day_amount: dayAmount, client_sum: clientSum, day_sum: daySum, roles } = rule;
  const isOfClient = amount !== null && new Exact(clientSum).greaterThan(amount);
  const [sum, limit, whose] = isOfClient
    ? [clientSum, amount, 'for one client']
    : [daySum, dayAmount ?? '', 'for all clients'];
  return {
    roles,
    why: `${ruledTexts[operation]} of one person ${whose} within 24 hours would be ${sum} ${currency}, and need approval beyond ${limit} ${currency}`,
  };
}
