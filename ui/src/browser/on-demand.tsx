import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

/** A component whose code comes in a chunk of its own. */
export interface OnDemand<P> {
  (props: P): ReactNode;
  /** Starts to fetch the code, for a component that will soon be shown. A failure is reported by the component. */
  prefetch(): void;
}

/**
 * Makes a component that fetches its code when it is first shown, and is there at once if the code already is. With `lazy` and
 * `Suspense`, React would hold the content back until 300 ms after the fallback, however soon the code is there.
 *
 * A failed fetch is thrown to the error boundary; the next time that the component is shown, it tries again.
 * @param fallback what is shown meanwhile
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): OnDemand<P> {
  const code = new Code(load);
  return Object.assign((props: P) => createElement(Shown<P>, { code, props, fallback }), {
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

interface ShownProps<P> {
  code: Code<P>;
  props: P;
  fallback: ReactNode;
}

function Shown<P extends object>({ code, props, fallback }: ShownProps<P>): ReactNode {
  const [state, setState] = useState<{ component: ComponentType<P> | undefined; failure?: unknown }>(() => ({
    component: code.component,
  }));
  useEffect(() => {
    if (state.component) return;
    let isShown = true;
    code.fetch().then(
      () => isShown && setState({ component: code.component }),
      (failure: unknown) => isShown && setState({ component: undefined, failure }),
    );
    return () => {
      isShown = false;
    };
  }, [code, state.component]);
  if (state.failure !== undefined) throw state.failure;
  return state.component ? createElement(state.component, props) : fallback;
}
