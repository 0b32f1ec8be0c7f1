import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { translateIssue, useT } from '@hengfu/ui/language/i18n.ts';
import { type FormEvent, type Ref, useEffect, useRef, useState } from 'react';
import { boot } from '../../platform/boot.ts';
import { messageOf } from '../../platform/failures.ts';
import { whenIdle } from '../../platform/when-idle.ts';
import { DemoSignIn } from './demo-sign-in.tsx';
import styles from './login-form.module.css';
import { PasswordField } from './password-field.tsx';
import { UnlockField } from './unlock-field.tsx';
import { useCountdown } from './use-countdown.ts';
import { type SignInState, type SignInSteps, useSignIn } from './use-sign-in.ts';

const ChallengeForm = onDemand(() => import('./challenge-form.tsx').then((module) => module.ChallengeForm));

interface LoginFormProps {
  onSignedIn: () => Promise<void>;
  /** The user who must sign in again; any user if not given. */
  knownEmail?: string;
}

/** Signs in with the password and, if the account has one, the second factor. Shows errors in place. */
export function LoginForm({ onSignedIn, knownEmail }: LoginFormProps) {
  const [state, { submit, enter, restart }] = useSignIn(onSignedIn);
  // There before the password has been checked.
  useEffect(() => whenIdle(ChallengeForm.prefetch), []);
  if (state.step !== 'twoFactor') {
    return <PasswordForm state={state} submit={submit} knownEmail={knownEmail} />;
  }
  return <ChallengeForm onPassed={enter} onBack={restart} />;
}

interface PasswordFormProps {
  state: SignInState;
  submit: SignInSteps['submit'];
  knownEmail: string | undefined;
}

/** Email and password, with the result of the last attempt. */
function PasswordForm({ state, submit, knownEmail }: PasswordFormProps) {
  const t = useT();
  const emailRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const isWrong = state.step === 'refused' && state.error.fieldErrors.email !== undefined;
  const waitSeconds = state.step === 'refused' ? (state.error.retryAfterSeconds ?? 0) : 0;
  const secondsLeft = useCountdown(waitSeconds, state);
  const [hasUnlockCode, setUnlockCode] = useState(false);
  const isLocked = waitSeconds > 0 || hasUnlockCode;
  const mustWait = secondsLeft > 0 && !hasUnlockCode;
  const isBusy = state.step === 'busy';
  const fields = state.step === 'invalid' ? state.fields : {};

  useEffect(() => {
    // Focuses after the first paint, because focusing earlier would cause a second layout.
    // In a dialog, the dialog sets the focus, and gives it back where it was.
    if (!knownEmail && document.activeElement === document.body) emailRef.current?.focus();
  }, [knownEmail]);
  useEffect(() => {
    if (state.step === 'invalid') (state.fields.email ? emailRef : passwordRef).current?.focus();
    if (state.step === 'refused' && state.error.status === 422) passwordRef.current?.select();
  }, [state]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A disabled button would lose the focus, so a press while busy is ignored instead.
    if (!isBusy && !mustWait) void submit(new FormData(event.currentTarget));
  };
  const fillIn = (email: string, password: string) => {
    if (emailRef.current) emailRef.current.value = email;
    if (passwordRef.current) passwordRef.current.value = password;
    passwordRef.current?.focus();
  };

  return (
    <>
      <form className={styles.form} onSubmit={onSubmit} noValidate aria-busy={isBusy}>
        <Message state={state} />
        <EmailField ref={emailRef} error={fields.email} knownEmail={knownEmail} />
        <PasswordField ref={passwordRef} error={fields.password && translateIssue(fields.password)} />
        {isWrong && <p className={styles.stepText}>{t('session.forgotten')}</p>}
        {isLocked && (
          <UnlockField
            isOpen={hasUnlockCode}
            error={state.step === 'refused' ? state.error.fieldErrors.unlock_code?.[0] : undefined}
            onOpen={() => setUnlockCode(true)}
          />
        )}
        <Checkbox name="remember">{t('session.remember')}</Checkbox>
        <button type="submit" className={styles.submit} aria-disabled={isBusy || mustWait}>
          {isBusy && <span className={styles.spinner} />}
          {mustWait
            ? t('session.retryIn', { seconds: secondsLeft })
            : t(isBusy ? 'session.submitting' : 'session.submit')}
        </button>
      </form>
      {boot?.demo && !knownEmail && <DemoSignIn demo={boot.demo} onFillIn={fillIn} />}
    </>
  );
}

interface EmailFieldProps {
  ref: Ref<HTMLInputElement>;
  /** Phrase key of the error, if any. */
  error: string | undefined;
  knownEmail: string | undefined;
}

function EmailField({ ref, error, knownEmail }: EmailFieldProps) {
  const t = useT();
  return (
    <div className={styles.field}>
      <label htmlFor="email">{t('session.email')}</label>
      <input
        ref={ref}
        id="email"
        name="email"
        className={styles.input}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
        defaultValue={knownEmail}
        readOnly={knownEmail !== undefined}
        aria-invalid={error !== undefined}
        aria-describedby="email-error"
      />
      <p id="email-error" className={styles.fieldError}>
        {error && translateIssue(error)}
      </p>
    </div>
  );
}

/** Says why the sign-in failed. The element is always present, so that screen readers announce a change. */
function Message({ state }: { state: SignInState }) {
  const t = useT();
  const isEmpty = state.step === 'invalid' && state.isIncomplete;
  const text =
    state.step === 'refused'
      ? (state.error.fieldErrors.email?.[0] ?? messageOf(state.error))
      : isEmpty
        ? t('errors.validation_failed')
        : undefined;
  return (
    <div role="alert">
      {text && (
        <p className={styles.failure}>
          <Icon name="alert" size={18} />
          {text}
        </p>
      )}
    </div>
  );
}
