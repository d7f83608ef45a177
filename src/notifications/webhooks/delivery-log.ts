import type { Attempt } from '../../data/webhooks/deliveries';

/**
 * Writes down what was delivered while more is being sent: whatever has gathered meanwhile, one statement
 * after the other. What a crash leaves unwritten is the few events since the last of them.
 */
export class DeliveryLog {
  private gathered: Attempt[] = [];
  private writing = Promise.resolve();
  private isWriting = false;
  private hasFailed = false;

  constructor(private readonly write: (attempts: Attempt[]) => Promise<void>) {}

  /** Something could not be written: whatever is sent now would be sent again. */
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

  /** Returns once everything is written. Throws where it could not be. */
  async written(): Promise<void> {
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.gathered.length > 0) await this.write(this.gathered.splice(0));
    this.isWriting = false;
  }
}
