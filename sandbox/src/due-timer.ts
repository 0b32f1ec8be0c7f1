// A wait is cut to a minute, so that a clock that was set forward is noticed and no timer overflows.
const longestWaitMs = 60_000;
const pauseAfterErrorMs = 1000;

/** A timer that runs work when the store says that something is due. */
export type DueTimer = {
  /** Looks again for what is due next; to be called after each commit that may have changed it. */
  arm(): void;
  /** Ends it for good. */
  stop(): void;
};

/**
 * Runs `work` whenever the moment that `nextDueAt` names (ISO, UTC) has come, over and over.
 * An error in either is told to `onError` and tried again after a pause: the timer itself never dies.
 */
export function createDueTimer(parts: {
  nextDueAt: () => string | undefined;
  work: () => void;
  onError: (error: unknown) => void;
}): DueTimer {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(task: () => void, waitMs: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(task, waitMs);
  }

  function guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      parts.onError(error);
      schedule(run, pauseAfterErrorMs);
    }
  }

  function rearm(): void {
    const dueAt = parts.nextDueAt();
    const waitMs = dueAt === undefined ? longestWaitMs : Date.parse(dueAt) - Date.now();
    schedule(run, Math.min(Math.max(waitMs, 0), longestWaitMs));
  }

  function run(): void {
    guarded(() => {
      parts.work();
      rearm();
    });
  }

  return {
    arm: () => guarded(rearm),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
