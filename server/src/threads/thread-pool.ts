/** A worker calls up to this many merchants' servers at the same time. */
const threads = 64;

/**
 * Gives Node's thread pool more than its four threads. Must be called before anything uses it. Names are
 * resolved in it: with four threads, four names whose servers never answer would block every other name,
 * password and picture. Heavy work in it has queues of its own (`security/passwords.ts`, pictures of
 * top-ups). UV_THREADPOOL_SIZE overrides the size.
 */
export function widenThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= String(threads);
}
