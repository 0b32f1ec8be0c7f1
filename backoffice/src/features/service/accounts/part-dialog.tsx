import { type StaffAccount, staffAccountEndpoints } from '@hengfu/contract/staff/accounts';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import type { ReactElement } from 'react';
import { reactToFailure } from '../../../platform/failures.ts';
import { call } from '../../../platform/http.ts';
import { useRefresh } from '../../../platform/refresh.ts';
import { CloseButton } from '../../../shared/close-button.tsx';
import styles from '../service.module.css';

interface PartDialogProps {
  account: StaffAccount;
  onClose: () => void;
}

/** Shows, once, the part of a new password that the reader hands over. */
export function PartDialog({ account: { id, name }, onClose }: PartDialogProps): ReactElement {
  const t = useT();
  const refresh = useRefresh(staffAccountEndpoints.list.path);
  const show = useAction({
    mutationFn: () => call(staffAccountEndpoints.part, { params: { id } }),
    // Forgotten with the dialog.
    gcTime: 0,
    onError: reactToFailure,
  });
  const shown = show.data?.data;
  // The row has nothing more to show, and would take this dialog away. The reply to a call under way would be lost with it.
  const close = () => {
    if (show.isPending) return;
    if (shown) refresh();
    onClose();
  };
  return (
    <Dialog title={t('officeService.partTitle', { name })} onClose={close}>
      <Notice tone="waiting">{t('officeService.partText', { name })}</Notice>
      {shown ? (
        <>
          <Fields
            isNarrow
            fields={[
              {
                label: t(shown.part === 'first' ? 'officeService.partFirst' : 'officeService.partSecond'),
                value: shown.text,
                copy: shown.text,
              },
            ]}
          />
          <CloseButton onClose={close} />
        </>
      ) : (
        <div className={styles.buttons}>
          <Button look="primary" onClick={() => show.mutate()} aria-disabled={show.isPending}>
            {t('officeService.showPart')}
          </Button>
          <Button onClick={close}>{t('officeService.cancel')}</Button>
        </div>
      )}
    </Dialog>
  );
}
