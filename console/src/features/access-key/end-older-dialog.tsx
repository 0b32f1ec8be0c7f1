import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { accessKeyOptions } from './access-key.api.ts';

/** Asks before it ends older keys that are still valid. */
export function EndOlderDialog({ onClose }: { onClose: () => void }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const form = useForm({
    send: () => call(accessKeyEndpoints.endOlder),
    onDone: () => {
      toast('success', t('accessKey.olderEnded'), 'access-key');
      onClose();
      void client.invalidateQueries({ queryKey: accessKeyOptions.queryKey });
    },
  });
  return (
    <Dialog title={t('accessKey.endOlderTitle')} onClose={() => form.isBusy || onClose()}>
      <Form
        state={form}
        action={t('accessKey.endOlder')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <p>{t('accessKey.endOlderText')}</p>
      </Form>
    </Dialog>
  );
}
