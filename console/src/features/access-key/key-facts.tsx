import type { AccessKey } from '@hengfu/contract/access-key';
import type { ReactElement } from 'react';
import { formatInstant } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { Fields } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';

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
