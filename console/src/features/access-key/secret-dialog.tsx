import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useEffectEvent } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, useCallForm } from '../../ui/form.tsx';
import { CodeField } from './code-field.tsx';
import type { ShownKey } from './shown-secret.tsx';

interface SecretDialogProps {
  onShown: (key: ShownKey) => void;
  onClose: () => void;
}

/** Reveals the secret: at once, or after a code where the user has a second factor. */
export function SecretDialog(props: SecretDialogProps): ReactElement | null {
  return useUser().twoFactor === 'on' ? <ByCode {...props} /> : <AtOnce {...props} />;
}

function ByCode({ onShown, onClose }: SecretDialogProps): ReactElement {
  const t = useT();
  const form = useCallForm(accessKeyEndpoints.secret, ({ data }) => onShown(data));
  return (
    <Dialog title={t('accessKey.codeTitle')} onClose={onClose}>
      <Form state={form} action={t('accessKey.reveal')}>
        <CodeField form={form} />
      </Form>
    </Dialog>
  );
}

function AtOnce({ onShown, onClose }: SecretDialogProps): null {
  const { mutate } = useMutation({
    mutationFn: () => call(accessKeyEndpoints.secret),
    onSuccess: ({ data }) => onShown(data),
    onError: onClose,
  });
  const reveal = useEffectEvent(() => mutate());
  useEffect(() => reveal(), []);
  return null;
}
