import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { type ReactElement, useEffect } from 'react';
import styles from './access.module.css';

const shownForMs = 60_000;

interface ShownSecretProps {
  /** The key that it belongs to, if it has an ID. */
  keyId?: string;
  secret: string;
  /** Introduces one that was just created. */
  news?: PhraseKey;
  onHide: () => void;
}

/** Shows a secret for one minute. */
export function ShownSecret({ keyId, secret, news, onHide }: ShownSecretProps): ReactElement {
  const t = useT();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new secret restarts the minute
  useEffect(() => {
    const timer = setTimeout(onHide, shownForMs);
    return () => clearTimeout(timer);
  }, [secret]);
  return (
    <Notice tone="calm" action={<Button onClick={onHide}>{t('accessKey.hide')}</Button>}>
      <div className={styles.secret}>
        {news && <p>{t(news)}</p>}
        <Fields
          fields={[
            ...(keyId === undefined ? [] : [{ label: t('accessKey.keyId'), value: keyId, copy: keyId }]),
            { label: t('accessKey.secret'), value: secret, copy: secret, isWide: true },
          ]}
        />
        <p className={styles.note}>{t('accessKey.hidesIn')}</p>
      </div>
    </Notice>
  );
}
