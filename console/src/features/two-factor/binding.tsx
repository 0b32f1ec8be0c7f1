import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { Failure } from '../../shared/failure.tsx';
import { CodeForm } from './code-form.tsx';
import { SecretView } from './secret-view.tsx';

/** Binds an authenticator app: shows the secret, then asks for a first code. */
export function Binding({ onBound }: { onBound: () => void }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery({
    queryKey: ['two-factor binding'],
    queryFn: async () => {
      const [code, key] = await Promise.all([
        call(twoFactorEndpoints.qrCode),
        call(twoFactorEndpoints.secretKey),
      ]);
      return 'url' in code ? { url: code.url, secretKey: key.secretKey } : null;
    },
    // Keeps the secret no longer than it is on screen.
    gcTime: 0,
    staleTime: 0,
  });
  // A code that is being typed stays if the secret cannot be read again.
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <p aria-busy="true">{t('twoFactor.scan')}</p>;
  return (
    <>
      <SecretView {...data} />
      <CodeForm endpoint={twoFactorEndpoints.confirm} onDone={onBound} />
    </>
  );
}
