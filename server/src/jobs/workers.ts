import type { Dispatcher } from './dispatcher.ts';
import type { Task } from './jobs.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** Tasks that share slots, and how many of their jobs a process runs at the same time. */
export interface JobLine {
  tasks: Record<string, Task>;
  concurrency: number;
}

/**
 * The workers of a process: one for each line of the installation's own jobs, and a dispatcher for merchants'
 * jobs. Jobs of one line never wait for those of another.
 */
export class Workers {
  readonly #workers: readonly Worker[];
  readonly #dispatcher: Dispatcher | undefined;

  /** `recurring` covers all lines. Each task runs in the line that has it. */
  constructor(
    lines: readonly JobLine[],
    { recurring, ...options }: Omit<WorkerOptions, 'tasks' | 'concurrency'>,
    dispatcher?: Dispatcher,
  ) {
    this.#dispatcher = dispatcher;
    this.#workers = lines.map(({ tasks, concurrency }) => {
      const own = recurring.filter(({ task }) => Object.hasOwn(tasks, task));
      return new Worker({ ...options, tasks, recurring: own, concurrency });
    });
  }

  /** Starts, and keeps trying while the database is away. */
  start(): void {
    for (const worker of this.#workers) void worker.start();
    this.#dispatcher?.start();
  }

  /** Lets running jobs finish and stops. */
  async stop(): Promise<void> {
    await Promise.all([this.#dispatcher?.stop(), ...this.#workers.map((worker) => worker.stop())]);
  }
}
