/** As many as a worker calls merchants' servers at once. */
const threads = 64;

/**
 * Gives Node's thread pool more than its four threads; only before anything has used it. Names are resolved in it: with
 * four, as many names whose servers never answer would hold up every other name, password and picture. What is heavy there
 * has a queue of its own (`security/passwords.ts`, pictures of top-ups). UV_THREADPOOL_SIZE names another size.
 */
export function widenThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= String(threads);
}
