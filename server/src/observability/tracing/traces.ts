/** Work that has ended. It must contain no secrets, no amounts and no personal data. */
export interface Work {
  name: string;
  /** `server`: answered a call. `client`: made one. `consumer`: ran a job. */
  kind: 'server' | 'client' | 'consumer';
  /** By this machine's clock, in milliseconds since 1970. */
  startedAtMs: number;
  /** Number of its order. All work on an order is one trace, whichever process it runs in. */
  orderNo: string | undefined;
  /** Whether it created the order, and so is the root of the trace. */
  isOrigin?: boolean;
  attributes: Readonly<Record<string, string | number>>;
  isFailed: boolean;
}

type Recorder = (work: Work) => void;

let recorder: Recorder | undefined;

/** Sets the function that records work; undefined turns tracing off. */
export function recordWith(next: Recorder | undefined): void {
  recorder = next;
}

/** Whether work is recorded. If not, nothing has to be prepared for it. */
export function isTracing(): boolean {
  return recorder !== undefined;
}

/** Records work that ends now. */
export function record(work: Work): void {
  recorder?.(work);
}
