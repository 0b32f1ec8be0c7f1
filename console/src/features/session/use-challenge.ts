import type { PasskeyRequest } from '@hengfu/contract/passkeys';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useCountdown } from './use-countdown.ts';

/** How the second step is taken; named as the call's fields are. */
export type Way = 'code' | 'passkey' | 'recovery_code';

/** What the account has for a second factor; taken to be an app until the server has said. */
interface Factors {
  app: boolean;
  passkey: PasskeyRequest | null;
}

/** The second step of signing in as a form shows it; `onPassed` leads on and is waited for. */
export interface Challenge {
  factors: Factors;
  way: Way;
  error: ApiError | undefined;
  isBusy: boolean;
  /** Until another try is heard. */
  secondsLeft: number;
  choose: (way: Way) => void;
  /** Shows a code or a recovery code. */
  submit: (typed: string) => Promise<void>;
  showPasskey: () => Promise<void>;
}

/** Calls and schemas are no part of the sign-in page's first load. */
const loadApi = () => import('./sign-in.api.ts');

export function useChallenge(onPassed: () => Promise<void>): Challenge {
  const [factors, setFactors] = useState<Factors>({ app: true, passkey: null });
  const [chosen, setChosen] = useState<Way>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const secondsLeft = useCountdown(error?.retryAfterSeconds ?? 0, error);

  const readFactors = async (): Promise<Factors> => {
    const found = await (await loadApi()).challengeOptions();
    setFactors(found);
    return found;
  };
  const begin = useEffectEvent(readFactors);
  useEffect(() => {
    // A code can be typed even where this fails.
    begin().catch(() => undefined);
  }, []);
  // What the account has may be known late: a way that somebody has chosen by then stays.
  const way = chosen ?? (factors.app ? 'code' : 'passkey');

  const attempt = async (work: () => Promise<void>) => {
    if (isBusy || secondsLeft > 0) return;
    setBusy(true);
    try {
      await work();
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  const submit = (typed: string) =>
    attempt(async () => {
      await (await loadApi()).challenge({ [way]: typed });
      await onPassed();
    });
  const showPasskey = () =>
    attempt(async () => {
      const { challenge, signWithPasskey } = await loadApi();
      // What a passkey signs is good once: each try asks anew.
      const { passkey } = await readFactors();
      if (!passkey) return;
      await challenge({ passkey: await signWithPasskey(passkey) });
      await onPassed();
    });
  const choose = (next: Way) => {
    setError(undefined);
    setChosen(next);
  };
  return { factors, way, error, isBusy, secondsLeft, choose, submit, showPasskey };
}
