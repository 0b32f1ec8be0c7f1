/**
 * Runs work that reports progress: yields the newest report, then the result. The work never waits for the reader: a slow
 * one misses reports. Throws what the work throws.
 */
export async function* withProgress<P, R>(
  work: (report: (progress: P) => void) => Promise<R>,
): AsyncGenerator<{ progress: P } | { result: R }> {
  const reports: P[] = [];
  let wake = () => {};
  const result = work((progress) => {
    reports[0] = progress;
    wake();
  });
  // It may fail while the reader is not waiting for it.
  const over = result.then(
    () => true,
    () => true,
  );
  for (let isOver = false; !isOver; ) {
    const reported = new Promise<boolean>((resolve) => {
      wake = () => resolve(false);
    });
    const progress = reports.pop();
    if (progress !== undefined) yield { progress };
    else isOver = await Promise.race([over, reported]);
  }
  yield { result: await result };
}
