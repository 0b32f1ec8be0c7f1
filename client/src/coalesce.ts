/** Throttles `run`: the first call runs at once, calls within `intervalMs` become one run at its end. */
export function coalesce(run: () => void, intervalMs: number): { call(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const fire = () => {
    isWaiting = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isWaiting) fire();
    }, intervalMs);
    run();
  };
  return {
    call() {
      if (timer === undefined) fire();
      else isWaiting = true;
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
      isWaiting = false;
    },
  };
}
