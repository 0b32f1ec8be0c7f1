import type { Language } from '@hengfu/contract/languages';
import type { Receipt } from '@hengfu/contract/receipts';
import { useEffect, useState } from 'react';
import { CallError } from '../cashier.api.ts';
import { isReceipt, readReceipt } from './receipt.api.ts';

/** The receipt, or why there is none. */
export interface ReceiptState {
  receipt: Receipt | null;
  isUnknown: boolean;
  trouble: 'offline' | 'unavailable' | null;
}

const retryMs = 3000;

/** Reads a receipt, unless the page came with it. Tries again until there is a reply. */
export function useReceipt(token: string, language: Language, reply: unknown): ReceiptState {
  const [state, setState] = useState<ReceiptState>(() => ({
    receipt: isReceipt(reply) ? reply : null,
    isUnknown: false,
    trouble: null,
  }));
  const isSettled = state.receipt !== null || state.isUnknown;
  useEffect(() => {
    if (isSettled) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      try {
        const receipt = await readReceipt(token, language, stop.signal);
        setState({ receipt, isUnknown: false, trouble: null });
      } catch (error) {
        if (stop.signal.aborted) return;
        const fault = error instanceof CallError ? error.fault : 'internal';
        if (fault === 'not_found') return setState({ receipt: null, isUnknown: true, trouble: null });
        setState((known) => ({ ...known, trouble: fault === 'offline' ? 'offline' : 'unavailable' }));
        timer = setTimeout(read, retryMs);
      }
    };
    void read();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [token, language, isSettled]);
  return state;
}
