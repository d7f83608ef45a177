/**
 * Every purchase and every eSIM, in memory and in a journal of JSON lines that survives a kill of the process.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { findOffer, type Offer } from './catalogue';
import { iccidOf } from './goods';
import { orderIdOf, type Purchase, referenceMatches, type Scenario, soldAt, statusAt, unitsAt } from './purchases';

export interface Journal<Entry> {
  append(entry: Entry): void;
  close(): void;
}

/** Opens the journal and hands every entry in it to `replay`, oldest first. */
export function openJournal<Entry>(file: string, replay: (entry: Entry) => void): Journal<Entry> {
  mkdirSync(dirname(file), { recursive: true });
  for (const line of wholeLines(file)) replay(JSON.parse(line) as Entry);
  const descriptor = openSync(file, 'a', 0o600);
  return {
    // Synchronous, so that no response precedes the write of its entry.
    append: (entry) => appendFileSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor),
  };
}

/** The lines of the file. A truncated last line was never answered, so it is dropped. */
function wholeLines(file: string): string[] {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(file, end);
  return bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
}

const msPerDay = 86_400_000;

export const esimChanges = ['install', 'use', 'deplete', 'expire'] as const;
export type EsimChange = (typeof esimChanges)[number];

/** A profile in use. A time is absent until its event has happened. */
export interface Esim {
  readonly iccid: string;
  readonly purchase: Purchase;
  /** The purchases that add a plan, oldest first. */
  readonly recharges: Purchase[];
  readonly changedAt: Partial<Record<EsimChange, number>>;
  /** Megabytes of the used data. */
  usedMb: number;
}

interface BoughtUnits {
  reference: string;
  units: number;
  iccid?: string;
}

type Entry =
  | { type: 'purchase'; purchase: Purchase }
  | { type: 'cancel' | 'reverse'; id: string; at: number }
  | { type: 'esim'; iccid: string; change: EsimChange; at: number }
  | { type: 'data'; iccid: string; megabytes: number; at: number };

export class Store {
  private readonly byId = new Map<string, Purchase>();
  /** By order, or by the whole reference if it names no order. */
  private readonly byStem = new Map<string, Purchase[]>();
  private readonly esims = new Map<string, Esim>();
  private readonly journal: Journal<Entry>;

  constructor(
    stateFile: string,
    /** Multiplies the delays of every scenario; below 1 they run faster. */
    private readonly timeScale: number,
  ) {
    this.journal = openJournal<Entry>(stateFile, (entry) => this.apply(entry));
  }

  /** Creates the purchase. The caller has checked that the reference is new. */
  buy({ reference, units, iccid }: BoughtUnits, offer: Offer, scenario: Scenario): Purchase {
    const at = Date.now();
    const purchase: Purchase = {
      id: `P${randomBytes(9).toString('hex')}`,
      reference,
      sku: offer.sku,
      family: offer.family,
      form: iccid === undefined ? formOf(offer) : 'RECHARGE',
      ...(iccid !== undefined && { iccid }),
      units,
      at,
      immediateUnits: Math.floor(units * scenario.immediateShare),
      endsAt: at + scenario.restAfterMs * this.timeScale,
      ending: scenario.ending,
      seed: randomBytes(16).toString('hex'),
    };
    this.record({ type: 'purchase', purchase });
    return purchase;
  }

  /** Withdraws a purchase without units. Returns false if it is too late. */
  cancel(purchase: Purchase): boolean {
    const now = Date.now();
    const status = statusAt(purchase, now);
    if (status === 'PENDING' && unitsAt(purchase, now) === 0) {
      this.record({ type: 'cancel', id: purchase.id, at: now });
    }
    return purchase.cancelledAt !== undefined;
  }

  /** Reverses a delivered purchase. Returns false if it is not delivered. */
  reverse(purchase: Purchase): boolean {
    const now = Date.now();
    if (statusAt(purchase, now) === 'DELIVERED') this.record({ type: 'reverse', id: purchase.id, at: now });
    return purchase.reversedAt !== undefined;
  }

  get(id: string): Purchase | undefined {
    return this.byId.get(id);
  }

  /** Purchases with this reference or prefix, oldest first; all without one. */
  find(reference?: string): Purchase[] {
    if (reference === undefined) return [...this.byId.values()];
    const candidates = this.byStem.get(stemOf(reference)) ?? [];
    return candidates.filter((purchase) => referenceMatches(purchase.reference, reference));
  }

  /** The one purchase with exactly this reference. */
  findExact(reference: string): Purchase | undefined {
    return this.byStem.get(stemOf(reference))?.find((purchase) => purchase.reference === reference);
  }

  /** A delivered eSIM. */
  esim(iccid: string): Esim | undefined {
    const esim = this.esims.get(iccid);
    return esim && unitsAt(esim.purchase, Date.now()) > 0 ? esim : undefined;
  }

  /** Records an event of an eSIM. Only the first time counts, and the end of its plans again after each recharge. */
  changeEsim(esim: Esim, change: EsimChange): void {
    if (changeAt(esim, change) !== undefined) return;
    this.record({ type: 'esim', iccid: esim.iccid, change, at: Date.now() });
  }

  /** Uses data. The first use begins the validity, and using all of it depletes the eSIM. */
  useData(esim: Esim, megabytes: number): void {
    this.changeEsim(esim, 'use');
    this.record({ type: 'data', iccid: esim.iccid, megabytes, at: Date.now() });
    const total = totalMb(esim);
    if (total !== undefined && esim.usedMb >= total) this.changeEsim(esim, 'deplete');
  }

  close(): void {
    this.journal.close();
  }

  private record(entry: Entry): void {
    this.journal.append(entry);
    this.apply(entry);
  }

  private apply(entry: Entry): void {
    if (entry.type === 'purchase') return this.index(entry.purchase);
    if (entry.type === 'data') {
      const esim = this.esims.get(entry.iccid);
      if (esim) esim.usedMb += entry.megabytes;
      return;
    }
    if (entry.type !== 'esim') {
      const purchase = this.byId.get(entry.id);
      if (purchase) purchase[entry.type === 'cancel' ? 'cancelledAt' : 'reversedAt'] = entry.at;
      return;
    }
    const esim = this.esims.get(entry.iccid);
    if (!esim) return;
    esim.changedAt[entry.change] = entry.at;
    if (entry.change === 'deplete') esim.usedMb = totalMb(esim, entry.at) ?? esim.usedMb;
  }

  private index(purchase: Purchase): void {
    this.byId.set(purchase.id, purchase);
    const stem = stemOf(purchase.reference);
    const siblings = this.byStem.get(stem);
    if (siblings) siblings.push(purchase);
    else this.byStem.set(stem, [purchase]);
    if (purchase.family !== 'ESIM') return;
    if (purchase.iccid !== undefined) {
      this.esims.get(purchase.iccid)?.recharges.push(purchase);
      return;
    }
    const iccid = iccidOf(purchase);
    this.esims.set(iccid, { iccid, purchase, recharges: [], changedAt: {}, usedMb: 0 });
  }
}

/** The plans on the profile at `now`: its own one, and those of the recharges that were delivered. */
function plansAt({ purchase, recharges }: Pick<Esim, 'purchase' | 'recharges'>, now: number) {
  const sold = [purchase, ...recharges].flatMap((one) => {
    const offer = findOffer(one.sku);
    const at = soldAt(one, now);
    return offer?.family === 'ESIM' && at !== undefined ? [{ offer, at }] : [];
  });
  return sold;
}

/** When the change happened. A recharge begins a new plan: the end of the earlier ones is then no end of the profile. */
function changeAt(esim: Esim, change: EsimChange, now = Date.now()): number | undefined {
  const at = esim.changedAt[change];
  if (at === undefined || change === 'install' || change === 'use') return at;
  const isRecharged = plansAt(esim, now)
    .slice(1)
    .some((plan) => plan.at > at);
  return isRecharged ? undefined : at;
}

/** The time at which the eSIM's data was used up or its validity ended. */
export function depletedAt(esim: Esim): number | undefined {
  const deplete = changeAt(esim, 'deplete');
  if (deplete !== undefined) return deplete;
  const end = validityEndsAt(esim);
  return end !== undefined && end <= Date.now() ? end : undefined;
}

/** The end of the days of the last plan, from its first use, unless a control ended the validity; undefined before first use. */
export function validityEndsAt(esim: Esim): number | undefined {
  const expired = changeAt(esim, 'expire');
  const { use, expire = 0 } = esim.changedAt;
  if (expired !== undefined) return expired;
  if (use === undefined) return undefined;
  const plans = plansAt(esim, Date.now()).filter(({ at }) => at > expire);
  return Math.max(...plans.map(({ offer, at }) => Math.max(use, at) + offer.validityDays * msPerDay));
}

/** The megabytes of all plans on the profile; undefined if one has no limit. */
export function totalMb(esim: Pick<Esim, 'purchase' | 'recharges'>, now: number = Date.now()): number | undefined {
  const amounts = plansAt(esim, now).map(({ offer }) => offer.dataAmountGb);
  return amounts.includes(0) ? undefined : amounts.reduce((sum, amount) => sum + amount, 0) * 1_000;
}

/** The megabytes that are left; undefined if the plan has no limit. */
export function leftMb(esim: Esim): number | undefined {
  const total = totalMb(esim);
  if (total === undefined) return undefined;
  return changeAt(esim, 'deplete') === undefined ? Math.max(0, total - esim.usedMb) : 0;
}

function formOf(offer: Offer): Purchase['form'] {
  if (offer.family === 'VOUCHER') return offer.form;
  return offer.family === 'TOPUP' ? 'RECHARGE' : 'PROFILE';
}

function stemOf(reference: string): string {
  const orderId = orderIdOf(reference);
  return orderId === null ? reference : `order-${orderId}`;
}
