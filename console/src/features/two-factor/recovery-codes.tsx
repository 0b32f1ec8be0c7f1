import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { toast } from '../../platform/toast.ts';
import { Button } from '../../ui/button.tsx';
import { CodeList } from './code-list.tsx';

/** Shows the recovery codes on request; `fresh` ones, which nobody has saved yet, immediately. */
export function RecoveryCodes({ fresh }: { fresh?: readonly string[] | undefined }): ReactElement {
  const t = useT();
  const [codes, setCodes] = useState(fresh);
  const show = useMutation({
    mutationFn: () => call(twoFactorEndpoints.recoveryCodes),
    onSuccess: (found) => setCodes(found),
  });
  const renew = useMutation({
    mutationFn: async () => {
      await call(twoFactorEndpoints.renewRecoveryCodes);
      return call(twoFactorEndpoints.recoveryCodes);
    },
    onSuccess: (found) => {
      setCodes(found);
      toast('success', t('twoFactor.renewedText'), 'two-factor');
    },
  });
  if (!codes) return <Button onClick={() => show.mutate()}>{t('twoFactor.showCodes')}</Button>;
  return (
    <CodeList codes={codes}>
      <Button onClick={() => renew.mutate()}>{t('twoFactor.renewCodes')}</Button>
      <Button onClick={() => setCodes(undefined)}>{t('twoFactor.hideCodes')}</Button>
    </CodeList>
  );
}
