import { useT } from '@hengfu/ui/language/i18n.ts';
import { useEffect, useRef } from 'react';
import styles from './login-form.module.css';

interface UnlockFieldProps {
  isOpen: boolean;
  error: string | undefined;
  onOpen: () => void;
}

/** Takes an unlock code from our support team, in addition to the password, for a locked account. */
export function UnlockField({ isOpen, error, onOpen }: UnlockFieldProps) {
  const t = useT();
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) inputRef.current?.focus();
  }, [isOpen]);
  if (!isOpen) {
    return (
      <button type="button" className={styles.fill} onClick={onOpen}>
        {t('session.haveUnlockCode')}
      </button>
    );
  }
  return (
    <div className={styles.field}>
      <label htmlFor="unlock_code">{t('session.unlockCode')}</label>
      <input
        ref={inputRef}
        id="unlock_code"
        name="unlock_code"
        className={styles.input}
        type="text"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        aria-invalid={error !== undefined}
        aria-describedby="unlock-error"
      />
      <p id="unlock-error" className={styles.fieldError}>
        {error}
      </p>
    </div>
  );
}
