import type { Permits } from '../engine/expensive-work.ts';

/** The parent's permits for expensive work: it lends each for one request, to children in the order in which they ask. */
export class LentPermits<Child> {
  #count: number;
  readonly #grant: (child: Child) => void;
  /** A child for each permit that is lent: they may be more than there are. */
  #lent: Child[] = [];
  #waiting: Child[] = [];

  constructor(count: number, grant: (child: Child) => void) {
    this.#count = count;
    this.#grant = grant;
  }

  /** Changes how many there are. Those that are lent stay so. */
  set count(count: number) {
    this.#count = count;
    this.#lend();
  }

  take(child: Child): void {
    this.#waiting.push(child);
    this.#lend();
  }

  give(child: Child): void {
    const at = this.#lent.indexOf(child);
    if (at >= 0) this.#lent.splice(at, 1);
    this.#lend();
  }

  /** The child has ended: its permits are free again. */
  forget(child: Child): void {
    this.#lent = this.#lent.filter((other) => other !== child);
    this.#waiting = this.#waiting.filter((other) => other !== child);
    this.#lend();
  }

  #lend(): void {
    while (this.#lent.length < this.#count) {
      const child = this.#waiting.shift();
      if (child === undefined) return;
      this.#lent.push(child);
      this.#grant(child);
    }
  }
}

/** A child's permits, borrowed from the parent. While the parent is silent the child has one of its own. */
export class BorrowedPermits implements Permits {
  readonly #send: (kind: 'permit_wanted' | 'permit_returned') => void;
  #waiting: (() => void)[] = [];
  #isSilent = false;
  #isOwnTaken = false;

  constructor(send: (kind: 'permit_wanted' | 'permit_returned') => void) {
    this.#send = send;
  }

  take(granted: () => void): void {
    this.#waiting.push(granted);
    this.#send('permit_wanted');
    this.#grantOwn();
  }

  give(): void {
    if (!this.#isOwnTaken) {
      this.#send('permit_returned');
      return;
    }
    this.#isOwnTaken = false;
    this.#grantOwn();
  }

  /** The parent's answer to the request that waits longest. */
  granted(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#send('permit_returned');
    else next();
  }

  set isSilent(isSilent: boolean) {
    this.#isSilent = isSilent;
    this.#grantOwn();
  }

  #grantOwn(): void {
    if (!this.#isSilent || this.#isOwnTaken) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#isOwnTaken = true;
    next();
  }
}
