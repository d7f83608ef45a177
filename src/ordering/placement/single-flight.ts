import { timedOut, withTimeout } from '../../async/with-timeout';

/** Work that runs once at a time for each key, however many ask for it. */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Promise<T>>();

  /**
   * The outcome of the work, begun now or by whoever came before. Undefined after `limitMs`
   * milliseconds, or once the signal aborts; the work goes on.
   */
  async run(
    key: string,
    limitMs: number,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const outcome = await withTimeout(this.flights.get(key) ?? this.begin(key, work), limitMs, signal);
    return outcome === timedOut ? undefined : outcome;
  }

  private begin(key: string, work: () => Promise<T>): Promise<T> {
    const flight = work().finally(() => this.flights.delete(key));
    this.flights.set(key, flight);
    return flight;
  }
}
