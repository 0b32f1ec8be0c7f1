import { type ComponentType, type ReactElement, useEffect, useState } from 'react';
import { reloadIfServed } from '../browser/reload-once.ts';

/** A component whose code is fetched with its first use, or earlier by `prefetch`. Shows nothing until then. */
export type OnDemand<P> = ((props: P) => ReactElement | null) & { prefetch(): void };

/**
 * Defers a component's code. What a user opens before the code is there opens once it is. If it cannot be loaded, the next use
 * tries again; if a release has replaced it, the page is reloaded.
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): OnDemand<P> {
  let loaded: ComponentType<P> | undefined;
  const fetchOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once per component, at module level.
  const Deferred = (props: P): ReactElement | null => {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (Loaded === undefined) fetchOnce().then((component) => setLoaded(() => component), reloadIfServed);
    }, [Loaded]);
    return Loaded ? <Loaded {...props} /> : null;
  };
  return Object.assign(Deferred, { prefetch: () => void fetchOnce().catch(() => undefined) });
}
