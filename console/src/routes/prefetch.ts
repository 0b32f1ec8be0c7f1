/** A page module that prefetches its data. */
interface PrefetchingPage<S> {
  prefetch(search: S): void;
}

/**
 * Creates a route's loader. It loads the page's module and starts fetching its data without waiting for it,
 * so the page renders while the data loads. The page's contract stays in its own chunk. If the module fails
 * to load, the route's component reports it.
 */
export function prefetchBy<S>(page: () => Promise<PrefetchingPage<S>>) {
  return async ({ deps }: { deps: S }): Promise<void> => {
    const module = await page().catch(() => undefined);
    module?.prefetch(deps);
  };
}
