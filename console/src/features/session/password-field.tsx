import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type KeyboardEvent, type Ref, useState } from 'react';
import styles from './login-form.module.css';

interface PasswordFieldProps {
  ref: Ref<HTMLInputElement>;
  /** The error text, if any. */
  error: string | undefined;
}

/** The password field, with a button that shows the password and a hint while Caps Lock is on. */
export function PasswordField({ ref, error }: PasswordFieldProps) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  const [isCapsLock, setCapsLock] = useState(false);
  const readCapsLock = (event: KeyboardEvent) => {
    // Password managers send key events without modifier state.
    if (event.nativeEvent instanceof window.KeyboardEvent) setCapsLock(event.getModifierState('CapsLock'));
  };
  const toggleLabel = t(isShown ? 'session.hidePassword' : 'session.showPassword');
  return (
    <div className={styles.field}>
      <label htmlFor="password">{t('session.password')}</label>
      <div className={styles.box}>
        <input
          ref={ref}
          id="password"
          name="password"
          className={styles.input}
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={256}
          aria-invalid={error !== undefined}
          aria-describedby="password-error password-hint"
          onKeyDown={readCapsLock}
          onKeyUp={readCapsLock}
          onBlur={() => setCapsLock(false)}
        />
        <button
          type="button"
          className={styles.eye}
          aria-label={toggleLabel}
          title={toggleLabel}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'eyeOff' : 'eye'} size={18} />
        </button>
      </div>
      <p id="password-error" className={styles.fieldError}>
        {error}
      </p>
      <p id="password-hint" className={styles.hint} role="status">
        {isCapsLock && (
          <>
            <Icon name="alert" size={15} />
            {t('session.capsLock')}
          </>
        )}
      </p>
    </div>
  );
}
