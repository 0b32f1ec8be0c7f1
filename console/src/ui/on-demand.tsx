import { type ComponentType, lazy, type ReactElement, Suspense } from 'react';

/** A component whose code is fetched with its first use, or earlier by `prefetch`. Shows nothing until then. */
export type OnDemand<P> = ((props: P) => ReactElement) & { prefetch(): void };

/**
 * Defers a component's code. What a user opens before the code is there opens once it is; a failed prefetch is tried again
 * with the first use.
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): OnDemand<P> {
  const Loaded = lazy(async () => ({ default: await load() }));
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once per component, at module level.
  const Deferred = (props: P) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
  return Object.assign(Deferred, { prefetch: () => void load().catch(() => undefined) });
}
