import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { type ReactElement, useEffect } from 'react';

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
