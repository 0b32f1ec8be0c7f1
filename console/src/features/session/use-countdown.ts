import { useEffect, useState } from 'react';

/** Counts down whole seconds from `seconds` to 0. A new `seconds` or `start` restarts it. */
export function useCountdown(seconds: number, start: unknown): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    void start;
    const endsAt = performance.now() + seconds * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - performance.now()) / 1000)));
    tick();
    if (seconds <= 0) return;
    const timer = setInterval(tick, 250);
    const stop = setTimeout(() => clearInterval(timer), seconds * 1000 + 500);
    return () => {
      clearInterval(timer);
      clearTimeout(stop);
    };
  }, [seconds, start]);
  return left;
}
