import type { AccessKey } from '@hengfu/contract/access-key';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';

/** Shows a key without its secret, and older keys that are still valid. */
export function KeyFacts({ accessKey }: { accessKey: AccessKey }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
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
    </>
  );
}
