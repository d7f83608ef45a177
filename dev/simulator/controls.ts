/** The settings from the simulator's controls, in memory and in a separate journal. */
import { type Journal, openJournal } from './store';
import type { CountedMode, Modes, Selector } from './modes';
import { referenceMatches } from './purchases';

/** The purchase or purchase call to find modes for. The product is not always known. */
export interface Target {
  reference: string;
  sku?: string | undefined;
}

/** Modes and their selector. */
export type Behaviour = Selector & { modes: Modes };

interface Rule {
  readonly behaviour: Behaviour;
  /** The uses of each counted mode, by mode and reference. */
  readonly used: Map<string, number>;
}

type Entry =
  | { type: 'behaviour'; behaviour: Behaviour }
  | { type: 'behaviour-ended'; selector: Selector }
  | { type: 'call'; selector: Selector; mode: CountedMode; reference: string }
  | { type: 'account'; blocked: boolean }
  | { type: 'balance'; amount: string }
  | { type: 'refused'; reference: string };

export class Controls {
  private rules: Rule[] = [];
  private blocked = false;
  private left = '1000000.00';
  /** References rejected in the scenario of the blocked account, and those admitted later. */
  private readonly waiting = new Set<string>();
  private readonly released = new Set<string>();
  private readonly journal: Journal<Entry>;

  constructor(file: string) {
    this.journal = openJournal<Entry>(file, (entry) => this.apply(entry));
  }

  /** Replaces the modes of exactly this selector, and restarts their counts. */
  behave(behaviour: Behaviour): void {
    this.record({ type: 'behaviour', behaviour });
  }

  /** Ends the modes of exactly this selector, or all modes without one. */
  endBehaviour(selector: Selector): void {
    this.record({ type: 'behaviour-ended', selector });
  }

  behaviours(): Behaviour[] {
    return this.rules.map(({ behaviour }) => behaviour);
  }

  /** The modes for the target. Modes of a reference override those of its product, which override general ones. */
  modesFor(target: Target): Modes {
    return this.rulesFor(target).reduce<Modes>((all, { behaviour }) => ({ ...all, ...behaviour.modes }), {});
  }

  /** Whether the mode applies to this call. If so, the call counts as one of its `calls`. */
  useUp(mode: CountedMode, target: Target): boolean {
    const rule = this.rulesFor(target).findLast(({ behaviour }) => behaviour.modes[mode]);
    if (!rule) return false;
    const { calls } = rule.behaviour.modes[mode] ?? {};
    if (calls === undefined) return true;
    const { reference } = target;
    if ((rule.used.get(`${mode} ${reference}`) ?? 0) >= calls) return false;
    this.record({ type: 'call', selector: selectorOf(rule.behaviour), mode, reference });
    return true;
  }

  get isAccountBlocked(): boolean {
    return this.blocked;
  }

  /** Blocks the whole account, or unblocks it together with all references that `admit` rejected. */
  setAccount(blocked: boolean): void {
    this.record({ type: 'account', blocked });
  }

  /** The account's balance. Purchases do not reduce it. */
  get balance(): string {
    return this.left;
  }

  setBalance(amount: string): void {
    this.record({ type: 'balance', amount });
  }

  /** Whether a purchase of a blocked recipient may run: only if the account was unblocked after its rejection. */
  admit(reference: string): boolean {
    if (this.released.has(reference)) return true;
    if (!this.waiting.has(reference)) this.record({ type: 'refused', reference });
    return false;
  }

  close(): void {
    this.journal.close();
  }

  /** The rules for the target, the most specific last. */
  private rulesFor({ reference, sku }: Target): Rule[] {
    const holds = ({ behaviour }: Rule): boolean =>
      (behaviour.sku === undefined || behaviour.sku === sku) &&
      (behaviour.reference === undefined || referenceMatches(reference, behaviour.reference));
    return this.rules.filter(holds).sort((one, other) => weightOf(one.behaviour) - weightOf(other.behaviour));
  }

  private record(entry: Entry): void {
    this.journal.append(entry);
    this.apply(entry);
  }

  private apply(entry: Entry): void {
    switch (entry.type) {
      case 'behaviour':
        this.rules = this.rules.filter((rule) => !isSame(rule.behaviour, entry.behaviour));
        this.rules.push({ behaviour: entry.behaviour, used: new Map() });
        return;
      case 'behaviour-ended':
        this.rules = isForAll(entry.selector)
          ? []
          : this.rules.filter((rule) => !isSame(rule.behaviour, entry.selector));
        return;
      case 'call':
        return this.count(entry.selector, `${entry.mode} ${entry.reference}`);
      case 'account':
        this.blocked = entry.blocked;
        if (!entry.blocked) this.release();
        return;
      case 'balance':
        this.left = entry.amount;
        return;
      case 'refused':
        this.waiting.add(entry.reference);
    }
  }

  private count(selector: Selector, key: string): void {
    const used = this.rules.find((rule) => isSame(rule.behaviour, selector))?.used;
    used?.set(key, (used.get(key) ?? 0) + 1);
  }

  private release(): void {
    this.waiting.forEach((reference) => this.released.add(reference));
    this.waiting.clear();
  }
}

function selectorOf({ sku, reference }: Selector): Selector {
  return { ...(sku !== undefined && { sku }), ...(reference !== undefined && { reference }) };
}

function isSame(one: Selector, other: Selector): boolean {
  return one.sku === other.sku && one.reference === other.reference;
}

function isForAll({ sku, reference }: Selector): boolean {
  return sku === undefined && reference === undefined;
}

/** A reference is more specific than a product, and a longer one than a shorter one. */
function weightOf({ sku, reference }: Selector): number {
  if (reference !== undefined) return 1 + reference.length;
  return sku === undefined ? 0 : 1;
}
