/** Operators after the sale: people who refund orders, decide claims by refunds and replacements, and approve what exceeds a rule. docs/operators/approvals.md. */
import { claimDecisions, type Acceptance, type ClaimDecision } from '../plan/after-sale';
import { share } from '../random';
import type { OpsCalls, Outcome } from './ops-processes';

/** What one person may refund of one client within a day without a second person, in each currency. */
export const REFUND_LIMIT = 10;

/** The local admin of the sandbox counts as another person under each name. */
const people = ['Ada', 'Ben', 'Cleo'] as const;
type Person = (typeof people)[number];

interface ListedClaim {
  id: number;
  state: string;
}

interface ListedProposal {
  id: number;
  proposer: string;
}

/** Of `orders refund` and of `claims accept`. */
type ProposedArguments = { reference: string } | { claim: number; how: Acceptance };

/** The reference of the refund that accepts the claim. */
export const refundOf = (claim: number) => `claim-${claim}`;
/** The harness's own name for what accepts the claim by a replacement: the service gives it no reference. */
export const replacementOf = (claim: number) => `replacement of claim-${claim}`;

/** The element that `choice` (0 to 1) selects. */
export function picked<T>(list: readonly T[], choice: number): T | undefined {
  return list[Math.floor(choice * list.length)];
}

export class AfterSale {
  /** The reference of the refund or the replacement that each proposal asks for. */
  private readonly references = new Map<number, string>();

  constructor(private readonly operators: OpsCalls) {}

  /**
   * Asks for a second person for refunds beyond `REFUND_LIMIT`, and for large changes of prices. The rules after the first one need one
   * themselves.
   */
  async setRules(currencies: readonly string[]): Promise<void> {
    const [first, second] = people;
    const ofRefunds = currencies.map((currency) => ['refund', '--currency', currency, '--amount', REFUND_LIMIT]);
    for (const rule of [...ofRefunds, ['price']]) {
      const set = await this.as(first, 'approval-rules', 'set', ...rule, '--roles', 'admin', '--reason', 'Four eyes');
      const number = numberIn(set);
      const done = number === undefined ? set : await this.as(second, ...approval(number));
      if (!done.ok) throw new Error(done.text);
    }
  }

  /** Refunds an order by a unit or an amount, twice at once. The service rejects an open order, and more than the order kept. */
  async refund(orderId: number | undefined, choice: number): Promise<string> {
    if (orderId === undefined) return 'no order yet';
    const extent = share(choice, 2) < 0.5 ? ['--units', '1'] : ['--amount', '3'];
    const reference = `random-${choice}`;
    const words = [...extent, '--reason-code', 'GOODWILL', '--reference', reference];
    const person = picked(people, share(choice, 4)) ?? 'Ada';
    const refund = () => this.propose(reference, person, 'orders', 'refund', orderId, ...words);
    return `order ${orderId}: ${await together(refund(), refund())}`;
  }

  /** Sends, rejects or accepts a claim, by a refund or a replacement; mostly two people decide at once. */
  async decideClaim(choice: number): Promise<string> {
    const claim = picked(await this.openClaims(), choice);
    if (!claim) return 'no claim to decide';
    const person = picked(people, share(choice, 4)) ?? 'Ada';
    const decisions = claimDecisions(choice).map((one) => this.decideOne(claim.id, person, one));
    return `claim ${claim.id}: ${await together(...decisions)}`;
  }

  private decideOne(claim: number, person: Person, decision: ClaimDecision): Promise<Outcome> {
    switch (decision) {
      case 'send':
        return this.as(person, 'claims', 'send', claim);
      case 'reject':
        return this.reject(claim);
      case 'refund':
      case 'replace':
        return this.accept(claim, person, decision);
    }
  }

  /** Decides a proposal: another person approves it, two at once, at the same time as its proposer, or while a third one rejects it. */
  async decideProposal(choice: number): Promise<string> {
    const proposal = picked(await this.pending(), choice);
    return proposal ? this.decide(proposal, share(choice, 2)) : 'nothing to approve';
  }

  /** Accepts every claim that waits, every other one by a replacement, and approves every proposal. */
  async decideRest(say: (text: string) => void): Promise<void> {
    await this.acceptAll((index) => (index % 2 === 0 ? 'replace' : 'refund'), say);
  }

  /**
   * Decides every claim that waits, and places no order: refunds the unit, or rejects the claim if no refund is possible. Returns the
   * claims that still wait.
   */
  async closeClaims(say: (text: string) => void): Promise<number[]> {
    for (const proposal of await this.pending()) say(await this.decide(proposal, 1));
    await this.acceptAll(() => 'refund', say);
    for (const { id } of await this.openClaims()) say(`claim ${id}: ${sentenceOf(await this.reject(id))}`);
    return (await this.openClaims()).map(({ id }) => id);
  }

  private async acceptAll(how: (index: number) => Acceptance, say: (text: string) => void): Promise<void> {
    for (const [index, { id }] of (await this.openClaims()).entries())
      say(`claim ${id}: ${sentenceOf(await this.accept(id, 'Cleo', how(index)))}`);
    for (const proposal of await this.pending()) say(await this.decide(proposal, 0));
  }

  /** The reference of the refund or the replacement that the proposal asks for. */
  async referenceOf(proposal: number): Promise<string> {
    const known = this.references.get(proposal);
    if (known !== undefined) return known;
    // Its proposer did not get the response.
    const { ok, text } = await this.operators.run('--json', 'approvals', 'show', proposal);
    if (!ok) throw new Error(text);
    const { arguments: given } = JSON.parse(text) as { arguments: ProposedArguments };
    if ('reference' in given) return given.reference;
    return given.how === 'refund' ? refundOf(given.claim) : replacementOf(given.claim);
  }

  private async decide({ id, proposer }: ListedProposal, how: number): Promise<string> {
    const [one = 'Ada', other = 'Ben'] = people.filter((person) => person !== proposer);
    const approve = (person: string) => this.as(person, ...approval(id));
    const reject = () => this.as(other, 'approvals', 'reject', id, '--reason', 'The sum is wrong');
    const decided =
      how < 0.4
        ? together(approve(one), approve(other))
        : how < 0.6
          ? together(approve(proposer), approve(one))
          : how < 0.8
            ? together(approve(one), reject())
            : reject().then(sentenceOf);
    return `proposal ${id} of ${proposer}: ${await decided}`;
  }

  private async openClaims(): Promise<ListedClaim[]> {
    const open = await this.operators.rows<ListedClaim>('claims', 'list', '--open', '--limit', 1_000);
    return open.filter(({ state }) => state === 'OPEN' || state === 'AT_SUPPLIER');
  }

  private pending(): Promise<ListedProposal[]> {
    return this.operators.rows<ListedProposal>('approvals', 'list', '--limit', 1_000);
  }

  private accept(claim: number, person: Person, how: Acceptance): Promise<Outcome> {
    const reference = how === 'refund' ? refundOf(claim) : replacementOf(claim);
    const words = ['claims', 'accept', claim, how, '--reason', 'The supplier confirms'];
    return this.propose(reference, person, ...words);
  }

  private reject(claim: number): Promise<Outcome> {
    return this.as('Ben', 'claims', 'reject', claim, '--reason', 'Used by its holder');
  }

  /** Runs a command that refunds or replaces under this reference, or proposes to. */
  private async propose(reference: string, person: string, ...words: (string | number)[]): Promise<Outcome> {
    const outcome = await this.as(person, ...words);
    const number = numberIn(outcome);
    if (number !== undefined) this.references.set(number, reference);
    return outcome;
  }

  private as(person: string, ...words: (string | number)[]): Promise<Outcome> {
    return this.operators.run('--operator', person, ...words);
  }
}

function approval(proposal: number): (string | number)[] {
  return ['approvals', 'approve', proposal, '--reason', 'Seen the order'];
}

/** The number of the proposal that a command made instead of carrying it out. */
function numberIn({ text }: Outcome): number | undefined {
  const number = /proposal (\d+) waits for approval/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}

async function together(...commands: Promise<Outcome>[]): Promise<string> {
  return (await Promise.all(commands)).map(sentenceOf).join('; ');
}

function sentenceOf({ text }: Outcome): string {
  return text.trim();
}
