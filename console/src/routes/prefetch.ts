/** The code of a page that asks for something before it is on screen. */
interface Prefetching<S> {
  prefetch(search: S): void;
}

/**
 * A route's loader: fetches the page's code, which the route shows anyway, and has it ask for its data. The answer is
 * not waited for: the page stands while its figures are on their way. What a page is described by (its contract) stays
 * out of the frame in this way. Code that is missing is told by the page itself.
 */
export function prefetchBy<S>(page: () => Promise<Prefetching<S>>) {
  return async ({ deps }: { deps: S }): Promise<void> => {
    const module = await page().catch(() => undefined);
    module?.prefetch(deps);
  };
}
