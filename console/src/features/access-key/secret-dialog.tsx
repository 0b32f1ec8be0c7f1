import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SecondFactorField, useSecondFactor } from '../../ui/second-factor-field.tsx';
import { useCallForm } from '../../ui/use-form.ts';
import type { ShownKey } from './shown-secret.tsx';

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
