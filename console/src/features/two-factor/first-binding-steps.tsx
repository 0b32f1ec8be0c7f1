import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { Failure } from '../../shared/failure.tsx';
import { CodeForm } from './code-form.tsx';
import { CodeList } from './code-list.tsx';
import { SecretView } from './secret-view.tsx';

/** Binds a first factor: shows the secret, asks for a first code and the enrollment code, then shows the recovery codes. */
export function FirstBindingSteps({ onDone }: { onDone: () => void }): ReactElement {
  const t = useT();
  const [codes, setCodes] = useState<readonly string[]>();
  const { data, error, refetch } = useQuery({
    queryKey: [twoFactorEndpoints.firstSecretKey.path],
    queryFn: () => call(twoFactorEndpoints.firstSecretKey),
    gcTime: 0,
  });
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && !codes && (
        <>
          <SecretView {...data} />
          <CodeForm
            endpoint={twoFactorEndpoints.firstConfirm}
            isEnrolmentCodeNeeded={data.isEnrolmentCodeNeeded}
            onDone={({ recoveryCodes }) => setCodes(recoveryCodes)}
          />
        </>
      )}
      {codes && (
        <CodeList codes={codes}>
          <Button look="primary" onClick={onDone}>
            {t('twoFactor.goOn')}
          </Button>
        </CodeList>
      )}
    </>
  );
}
