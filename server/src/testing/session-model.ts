import type { SessionLevel } from '@hengfu/contract/authentication';

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
    };

/**
 * Models the sessions of one person in several browsers as pure rules: what each browser may do after any
 * sequence of events. Tests compare the server with it.
 */
export class SessionModel {
  readonly browsers: BrowserState[];
  isRequired = false;
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
    if (this.hasApp) return session.hasPassed ? 'secondFactor' : 'password';
    return this.isRequired ? 'bound' : 'complete';
  }

  signIn(index: number): void {
    this.browsers[index] = this.hasApp
      ? { kind: 'waiting' }
      : { kind: 'open', hasPassed: false, isConfirmed: false, isBinding: false };
  }

  pass(index: number): void {
    this.browsers[index] = { kind: 'open', hasPassed: true, isConfirmed: false, isBinding: false };
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
