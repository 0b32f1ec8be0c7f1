import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { useCallForm } from '../../shared/forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from '../../shared/payments/second-factor-field.tsx';
import type { ShownKey } from './access-key.api.ts';

interface SecretDialogProps {
  onShown: (key: ShownKey) => void;
  onClose: () => void;
}

/** Reveals the secret after a second factor. */
export function SecretDialog({ onShown, onClose }: SecretDialogProps): ReactElement {
  const t = useT();
  const form = useCallForm(accessKeyEndpoints.secret, ({ data }) => onShown(data), useSecondFactor());
  return (
    <Dialog title={t('accessKey.codeTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('accessKey.reveal')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}
