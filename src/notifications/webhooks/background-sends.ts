/** The sends of one run that no other event waits for, by the sequence of their event. */
export class BackgroundSends {
  private readonly sends = new Map<number, Promise<void>>();
  private failure: { error: unknown } | undefined;

  /** The sequences of the events that are being sent. Throws what an earlier send failed with. */
  get underWay(): number[] {
    if (this.failure) throw this.failure.error;
    return [...this.sends.keys()];
  }

  start(sequence: number, send: Promise<void>): void {
    const ended = send
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => this.sends.delete(sequence));
    this.sends.set(sequence, ended);
  }

  /** Returns once every send has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.sends.values());
  }
}
