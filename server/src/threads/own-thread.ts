import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { parentPort, Worker } from 'node:worker_threads';

/** A call and its reply, matched by number. */
interface CallMessage<Request> {
  call: number;
  request: Request;
}
type Reply<Answer> = { call: number } & ({ answer: Answer } | { fault: string; code: string | undefined });

interface OwnThreadOptions {
  /** The module that calls {@link answerCalls}. */
  module: URL;
  /** Passed to the module as its `workerData`. */
  given: unknown;
  /** A thread without calls for this long is ended, which frees its memory. */
  idleMs: number;
}

/**
 * Maximum size of a thread's semi-space in MB: less than the server's own thread needs, which serves many calls at once. V8 reads this flag when it
 * makes the heap of a thread, so the server's own heap stays as it is; it prefers the flag to `resourceLimits`. The flag is never set back, because the
 * thread reads it after its constructor has returned.
 */
const smallSemiSpace = '--max-semi-space-size=4';

interface Running<Answer> {
  worker: Worker;
  calls: Map<number, PromiseWithResolvers<Answer>>;
}

/**
 * Runs work in a dedicated thread, so that it does not block this one. The thread starts with the first call,
 * takes several at once, and ends when idle. If it ends early, its calls fail and the next call starts
 * another. Calls and replies are plain data, which is copied, except for shared memory.
 */
export class OwnThread<Request, Answer> {
  readonly #options: OwnThreadOptions;
  #running: Running<Answer> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastCall = 0;

  constructor(options: OwnThreadOptions) {
    this.#options = options;
  }

  /** Resolves with the reply. Rejects with message and code of what the work threw, or if the thread ended. */
  async ask(request: Request): Promise<Answer> {
    clearTimeout(this.#idle);
    this.#running ??= this.#begin();
    const { worker, calls } = this.#running;
    const call = ++this.#lastCall;
    const message: CallMessage<Request> = { call, request };
    const waiting = Promise.withResolvers<Answer>();
    worker.postMessage(message);
    calls.set(call, waiting);
    try {
      return await waiting.promise;
    } finally {
      calls.delete(call);
      this.#endWhenIdle();
    }
  }

  /** Ends the thread. Its pending calls fail. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const ending = this.#running;
    // A call from here on starts another thread.
    this.#running = undefined;
    await ending?.worker.terminate();
  }

  #begin(): Running<Answer> {
    const { module, given } = this.#options;
    setFlagsFromString(smallSemiSpace);
    const worker = new Worker(module, { workerData: given });
    const running: Running<Answer> = { worker, calls: new Map() };
    const end = (error: Error) => {
      if (this.#running === running) this.#running = undefined;
      for (const waiting of running.calls.values()) waiting.reject(error);
    };
    worker.on('message', (reply: Reply<Answer>) => {
      const waiting = running.calls.get(reply.call);
      if ('fault' in reply)
        waiting?.reject(Object.assign(new Error(reply.fault), reply.code && { code: reply.code }));
      else waiting?.resolve(reply.answer);
    });
    worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => end(new Error('the thread has ended')));
    worker.unref();
    return running;
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#running?.calls.size !== 0) return;
    this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref();
  }
}

/** Lowers the priority of the calling thread, on Linux only: elsewhere threads have no priority of their own. */
export function lowerThreadPriority(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // It works at normal priority, too.
  }
}

/** Answers each call with the result of the work. Call this inside the thread. */
export function answerCalls<Request, Answer>(work: (request: Request) => Promise<Answer>): void {
  const send = (reply: Reply<Answer>) => parentPort?.postMessage(reply);
  parentPort?.on('message', ({ call, request }: CallMessage<Request>) => {
    work(request).then(
      (answer) => send({ call, answer }),
      (error: unknown) =>
        send({
          call,
          fault: error instanceof Error ? error.message : String(error),
          code: error instanceof Error ? codeOf(error) : undefined,
        }),
    );
  });
}

/** The code of a system's or a database's error, which says what its message only describes. */
function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
