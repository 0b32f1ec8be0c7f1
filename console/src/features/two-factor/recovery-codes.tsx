import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { CodeList } from './code-list.tsx';

/** Shows the recovery codes on request; `fresh` ones, which nobody has saved yet, immediately. */
export function RecoveryCodes({ fresh }: { fresh?: readonly string[] | undefined }): ReactElement {
  const t = useT();
  const [codes, setCodes] = useState(fresh);
  const show = useAction({
    gcTime: 0,
    mutationFn: () => call(twoFactorEndpoints.recoveryCodes),
    onSuccess: (found) => setCodes(found),
  });
  const renew = useAction({
    gcTime: 0,
    mutationFn: async () => {
      await call(twoFactorEndpoints.renewRecoveryCodes);
      return call(twoFactorEndpoints.recoveryCodes);
    },
    onSuccess: (found) => {
      setCodes(found);
      toast('success', t('twoFactor.renewedText'), 'two-factor');
    },
  });
  const hide = () => {
    setCodes(undefined);
    // The codes stay in the mutations' results otherwise.
    show.reset();
    renew.reset();
  };
  if (!codes) return <Button onClick={() => show.mutate()}>{t('twoFactor.showCodes')}</Button>;
  return (
    <CodeList codes={codes}>
      <Button onClick={() => renew.mutate()}>{t('twoFactor.renewCodes')}</Button>
      <Button onClick={hide}>{t('twoFactor.hideCodes')}</Button>
    </CodeList>
  );
}
