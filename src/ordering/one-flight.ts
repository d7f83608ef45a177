import { unanswered, within } from './within';

/** Work that runs once at a time for each key, however many ask for it. */
export class OneFlight<T> {
  private readonly flights = new Map<string, Promise<T>>();

  /**
   * The outcome of the work, begun now or by whoever came before. Undefined after `limit`
   * milliseconds; the work goes on.
   */
  async join(key: string, limit: number, work: () => Promise<T>): Promise<T | undefined> {
    const outcome = await within(this.flights.get(key) ?? this.begin(key, work), limit);
    return outcome === unanswered ? undefined : outcome;
  }

  private begin(key: string, work: () => Promise<T>): Promise<T> {
    const flight = work().finally(() => this.flights.delete(key));
    this.flights.set(key, flight);
    return flight;
  }
}
