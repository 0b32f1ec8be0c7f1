import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useEffect, useRef } from 'react';
import { messageOf } from '../../platform/failures.ts';
import styles from './login-form.module.css';
import { type Challenge, type Method, useChallenge } from './use-challenge.ts';

interface ChallengeFormProps {
  onPassed: () => Promise<void>;
  /** Returns to the password. */
  onBack: () => void;
}

const texts = {
  code: 'twoFactor.challengeText',
  passkey: 'passkeys.challengeText',
  recovery_code: 'twoFactor.recoveryText',
} as const;

/** The second step of signing in: a code, a passkey, or a recovery code. Loaded on demand. */
export function ChallengeForm({ onPassed, onBack }: ChallengeFormProps) {
  const t = useT();
  const challenge = useChallenge(onPassed);
  const { factors, method, error, isBusy } = challenge;
  return (
    <div className={styles.form} aria-busy={isBusy}>
      <div role="alert">
        {error && (
          <p className={styles.failure}>
            <Icon name="alert" size={18} />
            {error.fieldErrors[method]?.[0] ?? messageOf(error)}
          </p>
        )}
      </div>
      <h2 className={styles.step}>{t('twoFactor.challengeTitle')}</h2>
      <p className={styles.stepText}>{t(texts[method])}</p>
      {method === 'passkey' ? <PasskeyStep {...challenge} /> : <TypedStep {...challenge} method={method} />}
      <OtherMethods
        method={method}
        hasApp={factors.app}
        hasPasskey={factors.passkey !== null}
        onChoose={challenge.choose}
        onBack={onBack}
      />
    </div>
  );
}

function TypedStep({
  method,
  error,
  isBusy,
  secondsLeft,
  submit,
}: Challenge & { method: 'code' | 'recovery_code' }) {
  const t = useT();
  const inputRef = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new method or error selects the input again
  useEffect(() => inputRef.current?.select(), [method, error]);
  const isCode = method === 'code';
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(inputRef.current?.value ?? '');
      }}
    >
      <div className={styles.field}>
        <label htmlFor={method}>{t(isCode ? 'twoFactor.code' : 'twoFactor.recoveryCode')}</label>
        <input
          key={method}
          ref={inputRef}
          id={method}
          name={method}
          className={styles.input}
          type="text"
          inputMode={isCode ? 'numeric' : 'text'}
          autoComplete={isCode ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={isCode ? 6 : 64}
          aria-invalid={error?.fieldErrors[method] !== undefined}
        />
      </div>
      <button type="submit" className={styles.submit} aria-disabled={isBusy || secondsLeft > 0}>
        {isBusy && <span className={styles.spinner} />}
        {secondsLeft > 0 ? t('session.retryIn', { seconds: secondsLeft }) : t('twoFactor.submitCode')}
      </button>
    </form>
  );
}

function PasskeyStep({ isBusy, secondsLeft, showPasskey }: Challenge) {
  const t = useT();
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => buttonRef.current?.focus(), []);
  return (
    <button
      ref={buttonRef}
      type="button"
      className={styles.submit}
      aria-disabled={isBusy || secondsLeft > 0}
      onClick={() => void showPasskey()}
    >
      {isBusy && <span className={styles.spinner} />}
      {secondsLeft > 0 ? t('session.retryIn', { seconds: secondsLeft }) : t('passkeys.use')}
    </button>
  );
}

interface OtherMethodsProps {
  method: Method;
  hasApp: boolean;
  hasPasskey: boolean;
  onChoose: (method: Method) => void;
  /** Returns to the password. */
  onBack: () => void;
}

const labels = {
  code: 'twoFactor.useApp',
  passkey: 'passkeys.use',
  recovery_code: 'twoFactor.useRecovery',
} as const;

/** Buttons for the other methods. */
function OtherMethods({ method, hasApp, hasPasskey, onChoose, onBack }: OtherMethodsProps) {
  const t = useT();
  const methods: Method[] = [
    ...(hasApp ? (['code'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
    'recovery_code',
  ];
  return (
    <div className={styles.ways}>
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <button key={other} type="button" className={styles.fill} onClick={() => onChoose(other)}>
            {t(labels[other])}
          </button>
        ))}
      <button type="button" className={styles.fill} onClick={onBack}>
        {t('twoFactor.back')}
      </button>
    </div>
  );
}
