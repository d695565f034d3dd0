import type { Permits } from '../engine/expensive-work.ts';

/** The parent's permits for expensive work: it lends each for one request, to children in the order in which they ask. */
export class LentPermits<Child> {
  #count: number;
  /** Less than 0 while more are lent than there are. */
  #free: number;
  readonly #grant: (child: Child) => void;
  readonly #lent = new Map<Child, number>();
  #waiting: Child[] = [];

  constructor(count: number, grant: (child: Child) => void) {
    this.#count = count;
    this.#free = count;
    this.#grant = grant;
  }

  /** Changes how many there are. Those that are lent stay so. */
  set count(count: number) {
    this.#free += count - this.#count;
    this.#count = count;
    this.#lend();
  }

  take(child: Child): void {
    this.#waiting.push(child);
    this.#lend();
  }

  give(child: Child): void {
    const lent = this.#lent.get(child) ?? 0;
    if (lent === 0) return;
    this.#lent.set(child, lent - 1);
    this.#free += 1;
    this.#lend();
  }

  /** The child has ended: what it had is free again. */
  forget(child: Child): void {
    this.#free += this.#lent.get(child) ?? 0;
    this.#lent.delete(child);
    this.#waiting = this.#waiting.filter((other) => other !== child);
    this.#lend();
  }

  #lend(): void {
    while (this.#free > 0) {
      const child = this.#waiting.shift();
      if (child === undefined) return;
      this.#free -= 1;
      this.#lent.set(child, (this.#lent.get(child) ?? 0) + 1);
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
