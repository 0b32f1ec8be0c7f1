import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';

/** What goes in and comes out, by the number of its call. */
interface Question<Asked> {
  call: number;
  asked: Asked;
}
type Reply<Answer> = { call: number } & ({ answer: Answer } | { fault: string });

interface OwnThreadOptions {
  /** The module that calls {@link answerCalls}. */
  module: URL;
  /** What the module finds as its `workerData`. */
  given: unknown;
  /** A thread that nobody asked anything for so long is ended, and its memory given back. */
  idleMs: number;
}

interface Running<Answer> {
  worker: Worker;
  calls: Map<number, PromiseWithResolvers<Answer>>;
}

/**
 * Work in a thread of its own, so that it keeps nobody waiting in this one. The thread begins with the first call, takes
 * several at once, and ends where nobody calls; should it end before that, its calls fail and the next one begins another.
 * Questions and answers are copied: plain data.
 */
export class OwnThread<Asked, Answer> {
  readonly #options: OwnThreadOptions;
  #running: Running<Answer> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastCall = 0;

  constructor(options: OwnThreadOptions) {
    this.#options = options;
  }

  /** Rejects with the message of what the work threw, or where the thread ended. */
  async ask(asked: Asked): Promise<Answer> {
    clearTimeout(this.#idle);
    this.#running ??= this.#begin();
    const { worker, calls } = this.#running;
    const call = ++this.#lastCall;
    const question: Question<Asked> = { call, asked };
    const waiting = Promise.withResolvers<Answer>();
    worker.postMessage(question);
    calls.set(call, waiting);
    try {
      return await waiting.promise;
    } finally {
      calls.delete(call);
      this.#restWhenIdle();
    }
  }

  /** Ends the thread, and whatever is under way in it. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const ending = this.#running;
    // Who calls from here on begins another one.
    this.#running = undefined;
    await ending?.worker.terminate();
  }

  #begin(): Running<Answer> {
    const { module, given } = this.#options;
    const worker = new Worker(module, { workerData: given });
    const running: Running<Answer> = { worker, calls: new Map() };
    const end = (error: Error) => {
      if (this.#running === running) this.#running = undefined;
      for (const waiting of running.calls.values()) waiting.reject(error);
    };
    worker.on('message', (reply: Reply<Answer>) => {
      const waiting = running.calls.get(reply.call);
      if ('fault' in reply) waiting?.reject(new Error(reply.fault));
      else waiting?.resolve(reply.answer);
    });
    worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => end(new Error('the thread has ended')));
    worker.unref();
    return running;
  }

  #restWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#running?.calls.size !== 0) return;
    this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref();
  }
}

/** In the thread: lets whoever else wants the processor go first. On Linux; elsewhere a thread has no priority of its own. */
export function stepBack(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // It works as it is.
  }
}

/** In the thread: answers each call with what the work makes of it. */
export function answerCalls<Asked, Answer>(work: (asked: Asked) => Promise<Answer>): void {
  const send = (reply: Reply<Answer>) => parentPort?.postMessage(reply);
  parentPort?.on('message', ({ call, asked }: Question<Asked>) => {
    work(asked).then(
      (answer) => send({ call, answer }),
      (error: unknown) => send({ call, fault: error instanceof Error ? error.message : String(error) }),
    );
  });
}
