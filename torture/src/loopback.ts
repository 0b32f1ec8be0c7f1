let last = 0;
const mostHosts = 250;

/**
 * One of 250 addresses of this machine, each in its turn: sign-in calls are limited by address, and one that is refused for
 * that reason shows nothing of what is behind.
 */
export function nextLoopback(): string {
  last = (last + 1) % mostHosts;
  return `127.0.1.${last + 1}`;
}
