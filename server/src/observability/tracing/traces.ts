/**
 * A piece of work that has ended. It must hold no secret, no amount and nothing about a person.
 */
export interface Work {
  name: string;
  /** `server`: answered a call. `client`: made one. `consumer`: did a job. */
  kind: 'server' | 'client' | 'consumer';
  /** By this machine's clock, in milliseconds since 1970. */
  startedAtMs: number;
  /** Number of the order that it was about: all work about an order is one trace, in whichever process it is done. */
  orderNo: string | undefined;
  /** Whether it made the order: the rest of the trace follows from it. */
  isOrigin?: boolean;
  attributes: Readonly<Record<string, string | number>>;
  isFailed: boolean;
}

type Recorder = (work: Work) => void;

let recorder: Recorder | undefined;

/** Has work recorded from now on; undefined ends that. */
export function recordWith(next: Recorder | undefined): void {
  recorder = next;
}

/** Whether work is recorded: where it is not, nothing need be prepared for it. */
export function isTracing(): boolean {
  return recorder !== undefined;
}

/** Records work that ends now. */
export function record(work: Work): void {
  recorder?.(work);
}
