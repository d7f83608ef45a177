/** Operators after the sale: people who refund orders, decide claims, and approve what exceeds a rule. docs/operators/approvals.md. */
import type { Operators, Outcome } from './operators';

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

/** A share from 0 to 1 that another power of ten of `choice` decides. */
const share = (choice: number, power: number) => (choice * 10 ** power) % 1;

/** The element that `choice` (0 to 1) selects. */
export function picked<T>(list: readonly T[], choice: number): T | undefined {
  return list[Math.floor(choice * list.length)];
}

export class AfterSale {
  /** The reference of the refund that each proposal asks for. */
  private readonly references = new Map<number, string>();

  constructor(private readonly operators: Operators) {}

  /** Asks for a second person for refunds beyond `REFUND_LIMIT`. The rules after the first one need one themselves. */
  async setRules(currencies: readonly string[]): Promise<void> {
    const [first, second] = people;
    for (const currency of currencies) {
      const rule = ['refund', '--currency', currency, '--amount', REFUND_LIMIT, '--roles', 'admin'];
      const set = await this.as(first, 'approval-rules', 'set', ...rule, '--reason', 'Four eyes');
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

  /** Sends, rejects or accepts a claim; sometimes two people decide at once. */
  async decideClaim(choice: number): Promise<string> {
    const claim = picked(await this.openClaims(), choice);
    if (!claim) return 'no claim to decide';
    const what = share(choice, 2);
    const person = picked(people, share(choice, 4)) ?? 'Ada';
    const reject = () => this.as('Ben', 'claims', 'reject', claim.id, '--reason', 'Used by its holder');
    const decided =
      what < 0.2
        ? this.as(person, 'claims', 'send', claim.id).then(sentenceOf)
        : what < 0.35
          ? reject().then(sentenceOf)
          : what < 0.55
            ? together(this.accept(claim.id, person), reject())
            : together(this.accept(claim.id, person), this.accept(claim.id, person));
    return `claim ${claim.id}: ${await decided}`;
  }

  /** Decides a proposal: another person approves it, two at once, at the same time as its proposer, or while a third one rejects it. */
  async decideProposal(choice: number): Promise<string> {
    const proposal = picked(await this.pending(), choice);
    return proposal ? this.decide(proposal, share(choice, 2)) : 'nothing to approve';
  }

  /** Accepts every claim and approves every proposal that waits. */
  async decideRest(say: (text: string) => void): Promise<void> {
    for (const { id } of await this.openClaims())
      say(`claim ${id}: ${sentenceOf(await this.accept(id, 'Cleo'))}`);
    for (const proposal of await this.pending()) say(await this.decide(proposal, 0));
  }

  /** The reference of the refund that the proposal asks for. */
  async referenceOf(proposal: number): Promise<string> {
    const known = this.references.get(proposal);
    if (known !== undefined) return known;
    // Its proposer did not get the response.
    const { ok, text } = await this.operators.run('--json', 'approvals', 'show', proposal);
    if (!ok) throw new Error(text);
    const { arguments: given } = JSON.parse(text) as { arguments: { reference?: string; claim?: number } };
    return given.reference ?? `claim-${given.claim}`;
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

  private accept(claim: number, person: Person): Promise<Outcome> {
    const words = ['claims', 'accept', claim, 'refund', '--reason', 'The supplier confirms'];
    return this.propose(`claim-${claim}`, person, ...words);
  }

  /** Runs a command that refunds under this reference, or proposes to. */
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
