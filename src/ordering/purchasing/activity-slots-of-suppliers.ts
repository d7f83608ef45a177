/**
 * Shares the activity slots of a queue among suppliers. A hanging supplier holds each of its activities for most of a minute: without
 * a limit, its orders would take all slots, and polls of other suppliers would wait.
 */
export class SupplierShares {
  private readonly held = new Map<string, number>();

  /** `max`: the slots that the orders of one supplier may hold at the same time. */
  constructor(private readonly max: number) {}

  /**
   * Runs work about purchases at these suppliers. The work gets those suppliers whose share is used up, and must not call them: then it
   * ends soon, and its slot is free again. It holds a slot of each of the others.
   */
  async hold<Result>(
    suppliers: readonly string[],
    work: (busy: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result> {
    const busy = new Set(suppliers.filter((supplier) => this.heldBy(supplier) >= this.max));
    const called = suppliers.filter((supplier) => !busy.has(supplier));
    for (const supplier of called) this.held.set(supplier, this.heldBy(supplier) + 1);
    try {
      return await work(busy);
    } finally {
      for (const supplier of called) this.held.set(supplier, this.heldBy(supplier) - 1);
    }
  }

  private heldBy(supplier: string): number {
    return this.held.get(supplier) ?? 0;
  }
}
