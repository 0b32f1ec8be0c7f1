import type { SessionLevel } from '@hengfu/contract/authentication';

/** One of the person's merchants: the first one, or the second one, which is never strict. */
export type Place = 'first' | 'second';

/** The session of a browser, as the rules require. */
export type BrowserState =
  | { kind: 'nobody' }
  /** The password was correct; the second factor is pending. */
  | { kind: 'waiting' }
  | {
      kind: 'open';
      /** A second factor was passed in this session. */
      hasPassed: boolean;
      isConfirmed: boolean;
      /** A secret was made in this session, and no code has confirmed it yet. */
      isBinding: boolean;
      /** The merchant that the session works for; undefined until it is chosen. */
      place: Place | undefined;
    };

/**
 * Models the sessions of one person in several browsers as pure rules: what each browser may do after any
 * sequence of events. Tests compare the server with it.
 */
export class SessionModel {
  readonly browsers: BrowserState[];
  /** The first merchant requires a second factor. */
  isRequired = false;
  /** The person works for the second merchant, too. */
  hasSecond = false;
  hasApp = false;
  isSuspended = false;
  hasEnrolmentCode = false;

  constructor(browsers: number) {
    this.browsers = Array.from({ length: browsers }, () => ({ kind: 'nobody' }));
  }

  open(index: number): Extract<BrowserState, { kind: 'open' }> | undefined {
    const state = this.browsers[index];
    return state?.kind === 'open' ? state : undefined;
  }

  isWaiting(index: number): boolean {
    return this.browsers[index]?.kind === 'waiting';
  }

  /** Returns the level of a browser's session; undefined without a session. */
  level(index: number): SessionLevel | undefined {
    const session = this.open(index);
    if (!session) return undefined;
    if (this.hasApp && !session.hasPassed) return 'password';
    if (session.place === undefined) return 'person';
    if (this.hasApp) return 'secondFactor';
    return this.isRequired && session.place === 'first' ? 'bound' : 'complete';
  }

  signIn(index: number): void {
    this.browsers[index] = this.hasApp ? { kind: 'waiting' } : this.#opened(false);
  }

  pass(index: number): void {
    const place = this.open(index)?.place;
    this.browsers[index] = { ...this.#opened(true), ...(place && { place }) };
  }

  /** Whether the first binding in this session needs the enrollment code of the merchant that it does not work for now. */
  needsCodeElsewhere(index: number): boolean {
    const session = this.open(index);
    return this.isRequired && session?.place === 'second' && !session.hasPassed;
  }

  /** Chooses or switches. Staying at the same merchant changes nothing. */
  choose(index: number, place: Place): void {
    const session = this.open(index);
    if (!session || session.place === place) return;
    Object.assign(session, { place, isConfirmed: false });
  }

  #opened(hasPassed: boolean): Extract<BrowserState, { kind: 'open' }> {
    const place = this.hasSecond ? undefined : 'first';
    return { kind: 'open', hasPassed, isConfirmed: false, isBinding: false, place };
  }

  /** Ends all sessions but one browser's, as after a change of the password or a factor. */
  keepOnly(index: number): void {
    this.browsers.forEach((_, other) => {
      if (other !== index) this.browsers[other] = { kind: 'nobody' };
    });
  }

  turnOn(index: number): void {
    this.hasApp = true;
    this.keepOnly(index);
    const session = this.open(index);
    if (session) Object.assign(session, { hasPassed: true, isBinding: false });
  }

  turnOff(index: number): void {
    this.hasApp = false;
    this.keepOnly(index);
  }

  endAll(): void {
    this.keepOnly(-1);
  }
}
