import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { isComposing } from './is-composing.ts';
import { reloadIfServed } from './reload-once.ts';

const retryMs = 3000;

/** A component whose code is in a chunk of its own. */
export interface OnDemand<P> {
  (props: P): ReactNode;
  /** Starts to fetch the code of a component that will soon be shown. The component itself deals with a failure. */
  prefetch(): void;
}

/**
 * Defers a component's code until it is first shown, or prefetched. It is on screen as soon as its code is there: with `lazy` and
 * `Suspense`, React would hold it back until 300 ms after the fallback.
 *
 * If the code cannot be fetched, the next use tries again. A component with a fallback is a part of its page, whose error boundary
 * says that it is missing. Any other is something that the user has just opened: if a release has replaced it, the page is
 * reloaded, and while the server is away, it tries again every few seconds. Until it is there, Escape calls its `onClose`, as it
 * will afterwards.
 * @param fallback what is shown meanwhile
 * @param failed for a part that the page can do without: shown while its code cannot be fetched, which is tried again every few seconds
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback?: ReactNode,
  failed?: ReactNode,
): OnDemand<P> {
  const code = new Code(load);
  return Object.assign((props: P) => createElement(Shown<P>, { code, props, fallback, failed }), {
    prefetch: () => void code.fetch().catch(() => undefined),
  });
}

/** The code of one component, fetched once. */
class Code<P> {
  /** Undefined until it is there. */
  component: ComponentType<P> | undefined;
  readonly #load: () => Promise<ComponentType<P>>;
  #fetching: Promise<void> | undefined;

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load;
  }

  fetch(): Promise<void> {
    this.#fetching ??= this.#load().then(
      (component) => {
        this.component = component;
      },
      (error: unknown) => {
        this.#fetching = undefined;
        throw error;
      },
    );
    return this.#fetching;
  }
}

/** Properties of a component that opens above the page. */
interface Closable {
  onClose?: () => void;
}

interface ShownProps<P> {
  code: Code<P>;
  props: P;
  fallback: ReactNode;
  failed: ReactNode;
}

function Shown<P extends object>({ code, props, fallback, failed }: ShownProps<P>): ReactNode {
  const isPart = fallback !== undefined;
  const [state, setState] = useState<{ component: ComponentType<P> | undefined; failure?: unknown }>(() => ({
    component: code.component,
  }));
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further try runs it again.
  useEffect(() => {
    if (state.component) return;
    let isShown = true;
    code.fetch().then(
      () => isShown && setState({ component: code.component }),
      (failure: unknown) => {
        if (!isShown) return;
        const tryAgain = () => setTimeout(() => isShown && setTries((n) => n + 1), retryMs);
        if (isPart) setState({ component: undefined, failure });
        if (failed !== undefined) tryAgain();
        if (!isPart) void reloadIfServed().then(tryAgain);
      },
    );
    return () => {
      isShown = false;
    };
  }, [code, state.component, isPart, failed, tries]);
  const onClose = state.component || isPart ? undefined : (props as Closable).onClose;
  useEffect(() => {
    if (!onClose) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isComposing(event)) return;
      // A panel below stays open.
      event.stopPropagation();
      onClose();
    };
    window.addEventListener('keydown', close, true);
    return () => window.removeEventListener('keydown', close, true);
  }, [onClose]);
  if (state.failure !== undefined) {
    if (failed === undefined) throw state.failure;
    return failed;
  }
  return state.component ? createElement(state.component, props) : fallback;
}
