import { create } from 'zustand';

interface Gate {
  /** Somebody waits for the password to be confirmed; called with whether it was. */
  answer: ((isConfirmed: boolean) => void) | undefined;
}

const useGate = create<Gate>(() => ({ answer: undefined }));
let asking: Promise<boolean> | undefined;

/** Asks for the login password, once however many calls need it; resolves with whether it was confirmed. */
export function askForPassword(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => useGate.setState({ answer: resolve })).finally(() => {
    asking = undefined;
    useGate.setState({ answer: undefined });
  });
  return asking;
}

/** For the one dialog that asks: how to answer, while somebody waits. */
export function usePasswordGate(): Gate['answer'] {
  return useGate((gate) => gate.answer);
}
