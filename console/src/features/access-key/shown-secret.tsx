import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type ReactElement, useEffect } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';

const shownForMs = 60_000;

/** A key with its secret. */
export interface ShownKey {
  keyId: string;
  secret: string;
}

/** Shows a secret for one minute; `news` introduces one that was just created. */
export function ShownSecret({
  keyId,
  secret,
  news,
  onHide,
}: ShownKey & { news?: PhraseKey; onHide: () => void }): ReactElement {
  const t = useT();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new secret restarts the minute
  useEffect(() => {
    const timer = setTimeout(onHide, shownForMs);
    return () => clearTimeout(timer);
  }, [secret]);
  return (
    <Notice tone="calm" action={<Button onClick={onHide}>{t('accessKey.hide')}</Button>}>
      {news && <p>{t(news)}</p>}
      <Fields
        fields={[
          { label: t('accessKey.keyId'), value: keyId, copy: keyId },
          { label: t('accessKey.secret'), value: secret, copy: secret, isWide: true },
        ]}
      />
      <p>{t('accessKey.hidesIn')}</p>
    </Notice>
  );
}
