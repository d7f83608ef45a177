/** Somebody wants the order called off: by an operator's update, or by cancelling its workflow. */
export class CancellationRequest {
  private requested = false;
  private refusal: string | undefined;

  /** It is to be called off, and whether that is still possible is not known. */
  get isPending(): boolean {
    return this.requested;
  }

  /** Why the last request came too late; undefined where it did not. */
  get refused(): string | undefined {
    return this.refusal;
  }

  request(): void {
    this.requested = true;
    this.refusal = undefined;
  }

  /** Too late. A later request is looked at anew. */
  refuse(why: string): void {
    if (!this.requested) return;
    this.requested = false;
    this.refusal = why;
  }
}
