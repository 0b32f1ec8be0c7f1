let last = 0;
const addressCount = 250;

/**
 * Returns the next of 250 loopback addresses, round robin. Sign-in calls are rate-limited by address, and a
 * call refused by that limit would not test the code behind it.
 */
export function nextLoopback(): string {
  last = (last + 1) % addressCount;
  return `127.0.1.${last + 1}`;
}
