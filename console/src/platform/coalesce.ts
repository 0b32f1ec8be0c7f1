/** Runs at once, then at most once in `everyMs`: calls in between become one run at the end. */
export function coalesce(run: () => void, everyMs: number): { call(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const fire = () => {
    isWaiting = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isWaiting) fire();
    }, everyMs);
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
