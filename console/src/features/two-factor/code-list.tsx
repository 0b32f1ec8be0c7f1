import { Button } from '@hengfu/ui/controls/button.tsx';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { productTitle } from '../../platform/boot.ts';
import { saveFile } from '../../platform/save-file.ts';
import { useUser } from '../../platform/session-store.ts';
import styles from './two-factor.module.css';

/** Shows recovery codes, to be copied, printed or saved as a file. `children` are further buttons. */
export function CodeList({
  codes,
  children,
}: {
  codes: readonly string[];
  children: ReactNode;
}): ReactElement {
  const t = useT();
  const { email } = useUser();
  const text = `${codes.join('\n')}\n`;
  const section = useRef<HTMLElement>(null);
  // The button that showed them is gone, and nobody may have saved them yet.
  useEffect(() => section.current?.focus(), []);
  return (
    <section
      ref={section}
      tabIndex={-1}
      className={`${styles.wrap} ${styles.sheet}`}
      aria-label={t('twoFactor.codesTitle')}
    >
      <h2 className={styles.printed}>
        {productTitle}: {t('twoFactor.codesTitle')}
      </h2>
      <p className={styles.printed}>{email}</p>
      <p>{t('twoFactor.codesHint')}</p>
      <ul className={styles.codes} translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton text={text} name={t('twoFactor.copyCodes')} />
        <Button
          icon="arrowDown"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          {t('twoFactor.download')}
        </Button>
        <Button onClick={() => window.print()}>{t('twoFactor.print')}</Button>
        {children}
      </div>
    </section>
  );
}
