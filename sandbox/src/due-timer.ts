// Waits are capped at a minute, so that a clock that was set forward is noticed and no timer overflows.
const maxWaitMs = 60_000;
const pauseAfterErrorMs = 1000;

/** A timer that runs work when the store says that something is due. */
export type DueTimer = {
  /** Rereads what is due next; call it after each commit that may have changed it. */
  arm(): void;
  /** Stops the timer for good. */
  stop(): void;
};

/**
 * Runs `work` whenever the time that `nextDueAt` returns (ISO, UTC) has come, until it is stopped. An error in
 * either is passed to `onError` and retried after a pause: the timer itself never dies.
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
    const waitMs = dueAt === undefined ? maxWaitMs : Date.parse(dueAt) - Date.now();
    schedule(run, Math.min(Math.max(waitMs, 0), maxWaitMs));
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
