import { useEffect } from 'react';
import { createStore, useStore } from 'zustand';

type Answer = (isOpen: boolean) => void;

/** Holds back calls until the user has answered a dialog. One dialog serves all waiting calls. */
class Gate {
  readonly store = createStore<{ answer: Answer | undefined }>(() => ({ answer: undefined }));
  #pending: Promise<boolean> | undefined;
  #dialogCount = 0;

  /** Resolves to whether the calls may proceed; immediately to false if no dialog is mounted. */
  ask(): Promise<boolean> {
    if (this.#dialogCount === 0) return Promise.resolve(false);
    this.#pending ??= new Promise<boolean>((resolve) => this.store.setState({ answer: resolve })).finally(
      () => {
        this.#pending = undefined;
        this.store.setState({ answer: undefined });
      },
    );
    return this.#pending;
  }

  /** The answer to a question that is being asked; undefined while none is. */
  get pending(): Promise<boolean> | undefined {
    return this.#pending;
  }

  /** Registers a mounted dialog; returns the function that unregisters it. */
  register(): () => void {
    this.#dialogCount++;
    return () => {
      this.#dialogCount--;
      this.store.getState().answer?.(false);
    };
  }
}

/** Opens once the login password is confirmed, which a sensitive call requires (423). */
export const passwordGate = new Gate();
/** Opens once the user has signed in again after the session ended (401). */
export const sessionGate = new Gate();

/** Registers the dialog of a gate. Returns the function that answers the waiting calls; undefined if none are waiting. */
export function useGate(gate: Gate): Answer | undefined {
  useEffect(() => gate.register(), [gate]);
  return useStore(gate.store, ({ answer }) => answer);
}
