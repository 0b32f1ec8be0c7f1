import { ApiError } from '@hengfu/client/api-error.ts';
import type { PasskeyRequest } from '@hengfu/contract/passkeys';
import { useEffect, useEffectEvent, useState } from 'react';
import { useCountdown } from './use-countdown.ts';

/** A method of the second step, named like the call's field. */
export type Method = 'code' | 'passkey' | 'recovery_code';

/** The account's second factors; assumed to be an app until the server has replied. */
interface Factors {
  app: boolean;
  passkey: PasskeyRequest | null;
}

/** The second step of signing in, as a form needs it. */
export interface Challenge {
  factors: Factors;
  method: Method;
  error: ApiError | undefined;
  isBusy: boolean;
  /** Seconds until another attempt is allowed. */
  secondsLeft: number;
  choose: (method: Method) => void;
  /** Submits a code or a recovery code. */
  submit: (typed: string) => Promise<void>;
  showPasskey: () => Promise<void>;
}

/** Keeps calls and schemas out of the sign-in page's first load. */
const loadApi = () => import('./sign-in.api.ts');

/** Runs the second step of signing in. The caller navigates on in `onPassed`, which is awaited. */
export function useChallenge(onPassed: () => Promise<void>): Challenge {
  const [factors, setFactors] = useState<Factors>({ app: true, passkey: null });
  const [chosen, setChosen] = useState<Method>();
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
    // A code can be typed even if this fails.
    begin().catch(() => undefined);
  }, []);
  // The reply may come late: a method that the user has chosen by then stays.
  const method = chosen ?? (factors.app ? 'code' : 'passkey');

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
      await (await loadApi()).challenge({ [method]: typed });
      await onPassed();
    });
  const showPasskey = () =>
    attempt(async () => {
      const { challenge, signWithPasskey } = await loadApi();
      // A passkey challenge is valid once, so each attempt fetches a new one.
      const { passkey } = await readFactors();
      if (!passkey) return;
      await challenge({ passkey: await signWithPasskey(passkey) });
      await onPassed();
    });
  const choose = (next: Method) => {
    setError(undefined);
    setChosen(next);
  };
  return { factors, method, error, isBusy, secondsLeft, choose, submit, showPasskey };
}
