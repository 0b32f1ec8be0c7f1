import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** Returns the time in milliseconds: at most a minute old while the page is on screen, so that the days begin at midnight. */
export function useNow(): number {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    // The page may have been hidden since yesterday.
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
