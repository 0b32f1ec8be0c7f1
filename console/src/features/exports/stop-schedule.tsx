import { type ExportSchedule, exportScheduleEndpoints } from '@hengfu/contract/export-schedules';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import styles from './exports.module.css';

/** Stops a scheduled export; asks first. */
export function StopSchedule({
  schedule: { id, name },
}: {
  schedule: Pick<ExportSchedule, 'id' | 'name'>;
}): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const stop = useAction({
    mutationFn: () => call(exportScheduleEndpoints.remove, { params: { id } }),
    onSuccess: () => toast('success', t('exports.stopped'), 'exports'),
    onSettled: () => {
      close();
      return client.invalidateQueries({ queryKey: [exportScheduleEndpoints.list.path] });
    },
  });
  return (
    <>
      <Button aria-label={t('exports.removeSchedule', { name })} onClick={() => setAsking(true)}>
        {t('exports.remove')}
      </Button>
      {isAsking && (
        <Dialog title={t('exports.stopTitle', { name })} onClose={close}>
          <p>{t('exports.stopText')}</p>
          <div className={styles.buttons}>
            <Button
              look="primary"
              aria-disabled={stop.isPending}
              onClick={() => !stop.isPending && stop.mutate()}
            >
              {t('exports.remove')}
            </Button>
            <Button onClick={close}>{t('profile.cancel')}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
