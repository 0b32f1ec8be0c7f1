import { type CallbackAddress, callbackAddressEndpoints } from '@hengfu/contract/callback-addresses';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import { addressesOptions } from './callbacks.api.ts';
import styles from './callbacks.module.css';
import { CheckPanel } from './check-panel.tsx';

/** The callback URLs of access keys, each with a check. Nothing if no key has one. */
export function KeyAddresses(): ReactElement | null {
  const t = useT();
  const { data, error, refetch } = useQuery(addressesOptions);
  useLive(['callbacks', 'approvals'], addressesOptions.queryKey);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data?.length) return null;
  return (
    <Section title={t('endpoints.ofKeys')}>
      {error && <Failure error={error} isStale onRetry={() => void refetch()} />}
      <div className={styles.endpoints}>
        <p className={styles.muted}>{t('endpoints.ofKeysIntro')}</p>
        {data.map((address) => (
          <AddressCard key={address.keyId} of={address} />
        ))}
      </div>
    </Section>
  );
}

function AddressCard({ of: { keyId, name, url, check } }: { of: CallbackAddress }): ReactElement {
  const t = useT();
  return (
    <Section isCard title={name ?? keyId}>
      <div className={styles.parts}>
        <Fields
          fields={[
            { label: t('accessKey.keyId'), value: keyId, copy: keyId },
            { label: t('endpoints.url'), value: url, copy: url, isWide: true },
          ]}
        />
        <CheckPanel
          url={url}
          check={check}
          start={() => call(callbackAddressEndpoints.check, { params: { key_id: keyId } })}
          queryKey={addressesOptions.queryKey}
        />
      </div>
    </Section>
  );
}
