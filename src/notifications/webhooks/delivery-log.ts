import type { Attempt } from '../../data/webhooks/deliveries';

/**
 * Records successful deliveries while more are being sent: all that have gathered since, one statement after the
 * other. A crash leaves unrecorded only the few since the last statement.
 */
export class DeliveryLog {
  private gathered: Attempt[] = [];
  private writing = Promise.resolve();
  private isWriting = false;
  private hasFailed = false;

  constructor(private readonly write: (attempts: Attempt[]) => Promise<void>) {}

  /** Something could not be recorded: whatever is sent now would be sent again. */
  get failed(): boolean {
    return this.hasFailed;
  }

  add(attempt: Attempt): void {
    this.gathered.push(attempt);
    if (this.isWriting) return;
    this.isWriting = true;
    this.writing = this.writeAll();
    this.writing.catch(() => (this.hasFailed = true));
  }

  /** Returns once everything is recorded. Throws if it could not be. */
  async written(): Promise<void> {
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.gathered.length > 0) await this.write(this.gathered.splice(0));
    this.isWriting = false;
  }
}
