import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { messageOf } from '../../platform/failures.ts';
import { useT } from '../../platform/i18n.ts';
import { Icon } from '../../platform/icons.tsx';
import styles from './login-form.module.css';
import { useCountdown } from './use-countdown.ts';

interface ChallengeFormProps {
  onPassed: () => Promise<void>;
  /** Back to the password. */
  onBack: () => void;
}

/** The second step of signing in: a code from the app, or a recovery code. Loaded when it is asked for. */
export function ChallengeForm({ onPassed, onBack }: ChallengeFormProps) {
  const t = useT();
  const inputRef = useRef<HTMLInputElement>(null);
  const [field, setField] = useState<'code' | 'recovery_code'>('code');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const secondsLeft = useCountdown(error?.retryAfterSeconds ?? 0, error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was asked anew is to be typed into
  useEffect(() => inputRef.current?.select(), [field, error]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || secondsLeft > 0) return;
    setBusy(true);
    try {
      const { challenge } = await import('./sign-in.api.ts');
      await challenge({ [field]: inputRef.current?.value ?? '' });
      await onPassed();
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  const isCode = field === 'code';
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
      <div role="alert">
        {error && (
          <p className={styles.failure}>
            <Icon name="alert" />
            {error.fieldErrors[field]?.[0] ?? messageOf(error)}
          </p>
        )}
      </div>
      <h2 className={styles.step}>{t('twoFactor.challengeTitle')}</h2>
      <p className={styles.stepText}>{t('twoFactor.challengeText')}</p>
      <div className={styles.field}>
        <label htmlFor={field}>{t(isCode ? 'twoFactor.code' : 'twoFactor.recoveryCode')}</label>
        <input
          key={field}
          ref={inputRef}
          id={field}
          name={field}
          className={styles.input}
          type="text"
          inputMode={isCode ? 'numeric' : 'text'}
          autoComplete={isCode ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={isCode ? 6 : 64}
          aria-invalid={error?.fieldErrors[field] !== undefined}
        />
      </div>
      <button type="submit" className={styles.submit} aria-disabled={isBusy || secondsLeft > 0}>
        {isBusy && <span className={styles.spinner} />}
        {secondsLeft > 0 ? t('session.retryIn', { seconds: secondsLeft }) : t('twoFactor.submitCode')}
      </button>
      <OtherWays
        isCode={isCode}
        onSwitch={() => {
          setError(undefined);
          setField(isCode ? 'recovery_code' : 'code');
        }}
        onBack={onBack}
      />
    </form>
  );
}

function OtherWays({
  isCode,
  onSwitch,
  onBack,
}: {
  isCode: boolean;
  onSwitch: () => void;
  onBack: () => void;
}) {
  const t = useT();
  return (
    <div className={styles.ways}>
      <button type="button" className={styles.fill} onClick={onSwitch}>
        {t(isCode ? 'twoFactor.useRecovery' : 'twoFactor.useApp')}
      </button>
      <button type="button" className={styles.fill} onClick={onBack}>
        {t('twoFactor.back')}
      </button>
    </div>
  );
}
