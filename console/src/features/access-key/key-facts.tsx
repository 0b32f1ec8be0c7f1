import type { AccessKey } from '@hengfu/contract/access-key';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { type ReactElement, useState } from 'react';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import { EndOlderDialog } from './end-older-dialog.tsx';

/** Shows a key without its secret, and older keys that are still valid. */
export function KeyFacts({ accessKey }: { accessKey: AccessKey }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const [isEnding, setEnding] = useState(false);
  const { keyId, createdAt, isEnabled, older } = accessKey;
  const time = (instant: string) => formatInstant(instant, zone, language, 'full');
  return (
    <>
      <Fields
        fields={[
          { label: t('accessKey.keyId'), value: keyId, copy: keyId },
          { label: t('accessKey.createdAt'), value: time(createdAt) },
          { label: t('accessKey.state'), value: t(isEnabled ? 'accessKey.enabled' : 'accessKey.disabled') },
        ]}
      />
      {older.map((key) => (
        <Notice key={key.keyId} tone="waiting">
          {t('accessKey.older', { keyId: key.keyId, time: time(key.endsAt) })}
        </Notice>
      ))}
      {older.length > 0 && (
        <HasPerm any={['access.manage']}>
          <p>
            <Button onClick={() => setEnding(true)}>{t('accessKey.endOlder')}</Button>
          </p>
        </HasPerm>
      )}
      {isEnding && <EndOlderDialog onClose={() => setEnding(false)} />}
    </>
  );
}
