/** Somebody wants the order cancelled: by an operator's update, or by cancelling its workflow. */
export class CancellationRequest {
  private requested = false;
  private rejectionReason: string | undefined;

  /** The order is to be cancelled, and it is not known yet whether that is still possible. */
  get isPending(): boolean {
    return this.requested;
  }

  /** Why the last request came too late; undefined if it did not. */
  get rejection(): string | undefined {
    return this.rejectionReason;
  }

  request(): void {
    this.requested = true;
    this.rejectionReason = undefined;
  }

  /** It came too late. A later request is considered again. */
  reject(why: string): void {
    if (!this.requested) return;
    this.requested = false;
    this.rejectionReason = why;
  }
}
