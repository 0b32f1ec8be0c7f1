import type { Dispatcher } from './dispatcher.ts';
import type { Task } from './jobs.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** Tasks that wait for the same thing, and how many of their jobs a process does at once. */
export interface JobLine {
  tasks: Record<string, Task>;
  atOnce: number;
}

/**
 * The workers of a process: one for each line of the installation's own jobs, and a dispatcher for those that belong to
 * merchants. Jobs of one line never wait for those of another.
 */
export class Workers {
  readonly #workers: readonly Worker[];
  readonly #dispatcher: Dispatcher | undefined;

  /** `recurring`: of all lines; each is done in the line that has its task. */
  constructor(
    lines: readonly JobLine[],
    { recurring, ...options }: Omit<WorkerOptions, 'tasks' | 'concurrency'>,
    dispatcher?: Dispatcher,
  ) {
    this.#dispatcher = dispatcher;
    this.#workers = lines.map(({ tasks, atOnce }) => {
      const own = recurring.filter(({ task }) => Object.hasOwn(tasks, task));
      return new Worker({ ...options, tasks, recurring: own, concurrency: atOnce });
    });
  }

  /** Begins, and goes on trying while the database is away. */
  start(): void {
    for (const worker of this.#workers) void worker.start();
    this.#dispatcher?.start();
  }

  /** Lets running jobs finish and stops. */
  async stop(): Promise<void> {
    await Promise.all([this.#dispatcher?.stop(), ...this.#workers.map((worker) => worker.stop())]);
  }
}
