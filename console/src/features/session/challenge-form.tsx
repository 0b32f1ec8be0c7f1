import { useEffect, useRef } from 'react';
import { messageOf } from '../../platform/failures.ts';
import { useT } from '../../platform/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './login-form.module.css';
import { type Challenge, useChallenge, type Way } from './use-challenge.ts';

interface ChallengeFormProps {
  onPassed: () => Promise<void>;
  /** Back to the password. */
  onBack: () => void;
}

const texts = {
  code: 'twoFactor.challengeText',
  passkey: 'passkeys.challengeText',
  recovery_code: 'twoFactor.recoveryText',
} as const;

/** The second step of signing in: a code, a passkey, or a recovery code. Loaded when it is asked for. */
export function ChallengeForm({ onPassed, onBack }: ChallengeFormProps) {
  const t = useT();
  const challenge = useChallenge(onPassed);
  const { factors, way, error, isBusy } = challenge;
  return (
    <div className={styles.form} aria-busy={isBusy}>
      <div role="alert">
        {error && (
          <p className={styles.failure}>
            <Icon name="alert" size={18} />
            {error.fieldErrors[way]?.[0] ?? messageOf(error)}
          </p>
        )}
      </div>
      <h2 className={styles.step}>{t('twoFactor.challengeTitle')}</h2>
      <p className={styles.stepText}>{t(texts[way])}</p>
      {way === 'passkey' ? <PasskeyStep {...challenge} /> : <TypedStep {...challenge} way={way} />}
      <ChallengeWays
        way={way}
        hasApp={factors.app}
        hasPasskey={factors.passkey !== null}
        onWay={challenge.choose}
        onBack={onBack}
      />
    </div>
  );
}

function TypedStep({
  way,
  error,
  isBusy,
  secondsLeft,
  submit,
}: Challenge & { way: 'code' | 'recovery_code' }) {
  const t = useT();
  const inputRef = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was asked anew is to be typed into
  useEffect(() => inputRef.current?.select(), [way, error]);
  const isCode = way === 'code';
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
        <label htmlFor={way}>{t(isCode ? 'twoFactor.code' : 'twoFactor.recoveryCode')}</label>
        <input
          key={way}
          ref={inputRef}
          id={way}
          name={way}
          className={styles.input}
          type="text"
          inputMode={isCode ? 'numeric' : 'text'}
          autoComplete={isCode ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={isCode ? 6 : 64}
          aria-invalid={error?.fieldErrors[way] !== undefined}
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

interface ChallengeWaysProps {
  way: Way;
  hasApp: boolean;
  hasPasskey: boolean;
  onWay: (way: Way) => void;
  /** Back to the password. */
  onBack: () => void;
}

const labels = {
  code: 'twoFactor.useApp',
  passkey: 'passkeys.use',
  recovery_code: 'twoFactor.useRecovery',
} as const;

/** The other ways to take the second step. */
function ChallengeWays({ way, hasApp, hasPasskey, onWay, onBack }: ChallengeWaysProps) {
  const t = useT();
  const ways: Way[] = [
    ...(hasApp ? (['code'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
    'recovery_code',
  ];
  return (
    <div className={styles.ways}>
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <button key={other} type="button" className={styles.fill} onClick={() => onWay(other)}>
            {t(labels[other])}
          </button>
        ))}
      <button type="button" className={styles.fill} onClick={onBack}>
        {t('twoFactor.back')}
      </button>
    </div>
  );
}
