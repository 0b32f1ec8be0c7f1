import { enrolmentCodeHours } from '@hengfu/contract/authentication';
import { factorResetEndpoints } from '@hengfu/contract/staff/factor-resets';
import type { MerchantPerson } from '@hengfu/contract/staff/merchants';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { type ReactElement, useState } from 'react';
import { reactToFailure } from '../../../platform/failures.ts';
import { call } from '../../../platform/http.ts';
import { AskDialog } from '../ask-dialog.tsx';
import styles from '../merchants.module.css';
import { useRefresh } from '../use-refresh.ts';

interface FactorResetProps {
  code: string;
  person: MerchantPerson;
}

/** Asks for the reset of a person's second factor, and shows its code to the one who has approved it. */
export function FactorReset({ code, person }: FactorResetProps): ReactElement {
  const t = useT();
  const [opened, setOpened] = useState<'ask' | 'code'>();
  const { id, name } = person;
  const onClose = () => setOpened(undefined);
  return (
    <>
      {person.hasTwoFactor && (
        <Button onClick={() => setOpened('ask')}>{t('officeMerchants.resetFactor')}</Button>
      )}
      {person.hasCode && <Button onClick={() => setOpened('code')}>{t('officeMerchants.showCode')}</Button>}
      {opened === 'ask' && (
        <AskDialog
          endpoint={factorResetEndpoints.ask}
          code={code}
          params={{ person_id: id }}
          title={t('officeMerchants.resetTitle', { name })}
          text={t('officeMerchants.resetText')}
          onClose={onClose}
        />
      )}
      {opened === 'code' && <CodeDialog code={code} person={person} onClose={onClose} />}
    </>
  );
}

/** Shows, once, the enrollment code that the reader hands over. */
function CodeDialog({
  code,
  person: { id, name },
  onClose,
}: FactorResetProps & { onClose: () => void }): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const show = useAction({
    mutationFn: () => call(factorResetEndpoints.code, { params: { code, person_id: id } }),
    // Forgotten with the dialog.
    gcTime: 0,
    onError: reactToFailure,
  });
  const shown = show.data?.data.code;
  // The code is read once: a reply to a call under way would be lost with this dialog.
  const close = () => {
    if (show.isPending) return;
    if (shown !== undefined) refresh();
    onClose();
  };
  return (
    <Dialog title={t('officeMerchants.codeTitle', { name })} onClose={close}>
      <Notice tone="waiting">{t('officeMerchants.codeText', { name, hours: enrolmentCodeHours })}</Notice>
      {shown === undefined ? (
        <div className={styles.choices}>
          <Button look="primary" onClick={() => show.mutate()} aria-disabled={show.isPending}>
            {t('officeMerchants.showCode')}
          </Button>
          <Button onClick={close}>{t('officeMerchants.cancel')}</Button>
        </div>
      ) : (
        <Fields
          isNarrow
          fields={[{ label: t('officeMerchants.enrolmentCode'), value: shown, copy: shown }]}
        />
      )}
    </Dialog>
  );
}
