import type { Operation } from './document.ts';

/** Somebody who calls. */
export type Caller = 'nobody' | 'visitor' | 'admin' | 'bound' | 'viewer' | 'program';

/** A call before it is sent: whatever is known only then is still to be filled in. */
export interface Call {
  who: Caller;
  method: string;
  path: string;
  query: readonly (readonly [name: string, value: string])[];
  headers: Readonly<Record<string, string>>;
  /** A text, or bytes that are none. */
  body: string | Buffer | undefined;
  /** It is not the operation's own method and path any more: another one, or none, answers it. */
  isElsewhere: boolean;
  /** It holds what must be refused, whoever sends it. */
  isWrong: boolean;
}

/** Changes a call into one that is nearly right, or hostile. */
export type Twist = (call: Call, operation: Operation) => Call;
