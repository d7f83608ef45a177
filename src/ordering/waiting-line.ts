import { unanswered, within } from './within';

/** A place at the counter, until it is left; leaving it again changes nothing. */
export interface Place {
  readonly isTaken: boolean;
  leave(): void;
}

/** Lets so many in at a time; the others wait in the order they came. */
export class WaitingLine {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** A place, or undefined where none came free in so many milliseconds. */
  async enter(patience: number): Promise<Place | undefined> {
    return (await this.comesIn(patience)) ? this.place() : undefined;
  }

  private async comesIn(patience: number): Promise<boolean> {
    if (this.free > 0) {
      this.free--;
      return true;
    }
    let call: () => void = () => undefined;
    const called = new Promise<void>((resolve) => (call = resolve));
    this.waiting.push(call);
    if ((await within(called, patience)) !== unanswered) return true;
    const position = this.waiting.indexOf(call);
    // Called in the very moment the patience was over.
    if (position < 0) return true;
    this.waiting.splice(position, 1);
    return false;
  }

  private place(): Place {
    let isTaken = true;
    return {
      get isTaken() {
        return isTaken;
      },
      leave: () => {
        if (isTaken) this.callNext();
        isTaken = false;
      },
    };
  }

  private callNext(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
