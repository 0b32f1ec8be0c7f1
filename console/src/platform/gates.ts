import { useEffect } from 'react';
import { createStore, useStore } from 'zustand';

type Answer = (isOpen: boolean) => void;

/** A question that calls wait at until somebody has answered it: one dialog, however many calls wait. */
class Gate {
  readonly store = createStore<{ answer: Answer | undefined }>(() => ({ answer: undefined }));
  #asking: Promise<boolean> | undefined;
  #attending = 0;

  /** Resolves with whether the way is open; at once with false while no dialog attends. */
  ask(): Promise<boolean> {
    if (this.#attending === 0) return Promise.resolve(false);
    this.#asking ??= new Promise<boolean>((resolve) => this.store.setState({ answer: resolve })).finally(
      () => {
        this.#asking = undefined;
        this.store.setState({ answer: undefined });
      },
    );
    return this.#asking;
  }

  /** A dialog stands ready to ask; returns the function that ends it. */
  attend(): () => void {
    this.#attending++;
    return () => {
      this.#attending--;
      this.store.getState().answer?.(false);
    };
  }
}

/** A sensitive call wants the login password confirmed (423). */
export const passwordGate = new Gate();
/** The session has ended while its page was in use (401). */
export const sessionGate = new Gate();

/** For the one dialog that asks: attends, and tells how to answer while somebody waits. */
export function useGate(gate: Gate): Answer | undefined {
  useEffect(() => gate.attend(), [gate]);
  return useStore(gate.store, ({ answer }) => answer);
}
