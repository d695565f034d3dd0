import type { Permits } from '../engine/expensive-work.ts';

/** The parent's permits for expensive work, each lent for a single request, to children in the order of their requests. */
export class LentPermits<Child> {
  #count: number;
  readonly #grant: (child: Child) => void;
  /** The child of each lent permit; there may be more than `count` after it was lowered. */
  #lent: Child[] = [];
  #waiting: Child[] = [];

  constructor(count: number, grant: (child: Child) => void) {
    this.#count = count;
    this.#grant = grant;
  }

  /** Changes the number of permits. Lent permits stay lent. */
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

  /** Frees the permits of an ended child. */
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

/** A child's permits, borrowed from the parent. While the parent is silent, the child grants a single permit. */
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
