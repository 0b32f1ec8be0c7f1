import type { ReactElement, ReactNode } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './two-factor.module.css';

/** Shows recovery codes, to be copied or saved as a file. `children` are further buttons. */
export function CodeList({
  codes,
  children,
}: {
  codes: readonly string[];
  children: ReactNode;
}): ReactElement {
  const t = useT();
  const text = `${codes.join('\n')}\n`;
  return (
    <section className={styles.wrap} aria-label={t('twoFactor.codesTitle')}>
      <p>{t('twoFactor.codesHint')}</p>
      <ul className={styles.codes} translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton text={text} name={t('twoFactor.copyCodes')} />
        <Button icon="arrowDown" onClick={() => save(text)}>
          {t('twoFactor.download')}
        </Button>
        {children}
      </div>
    </section>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
