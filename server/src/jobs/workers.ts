import type { Task } from './jobs.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** Tasks that wait for the same thing, and how many of their jobs a process does at once. */
export interface JobLine {
  tasks: Record<string, Task>;
  atOnce: number;
}

/**
 * The workers of a process, one for each line: jobs that wait for a slow bank, or for a shop that does not answer, hold up
 * none of another line.
 */
export class Workers {
  readonly #workers: readonly Worker[];

  /** `recurring`: of all lines; each is done in the line that has its task. */
  constructor(
    lines: readonly JobLine[],
    { recurring, ...options }: Omit<WorkerOptions, 'tasks' | 'concurrency'>,
  ) {
    this.#workers = lines.map(({ tasks, atOnce }) => {
      const own = recurring.filter(({ task }) => Object.hasOwn(tasks, task));
      return new Worker({ ...options, tasks, recurring: own, concurrency: atOnce });
    });
  }

  /** Begins, and goes on trying while the database is away. */
  start(): void {
    for (const worker of this.#workers) void worker.start();
  }

  /** Lets running jobs finish and stops. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }
}
