import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactElement } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { messageOf } from '../../platform/failures.ts';
import { useT } from '../../platform/i18n.ts';
import { bindPasskey } from '../../platform/passkeys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import type { FormState } from '../../ui/use-form.ts';

/** Asks what a new passkey is to be called, and makes it. */
export function PasskeyDialog({
  onAdded,
  onClose,
}: {
  onAdded: () => void;
  onClose: () => void;
}): ReactElement {
  const t = useT();
  const { mutate, error, isPending } = useMutation({
    mutationFn: bindPasskey,
    meta: { inPlace: ['validation_failed', 'conflict'] },
    onSuccess: onAdded,
  });
  const fault = error instanceof ApiError ? error : undefined;
  const form: FormState = {
    faults: Object.fromEntries(
      Object.entries(fault?.fieldErrors ?? {}).map(([name, [text = '']]) => [name, text]),
    ),
    refusal: fault && !fault.fieldErrors.name ? messageOf(fault) : undefined,
    isBusy: isPending,
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (!isPending) mutate(String(new FormData(event.currentTarget).get('name') ?? ''));
    },
  };
  return (
    <Dialog title={t('passkeys.addTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('passkeys.make')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <TextField
          form={form}
          name="name"
          label={t('passkeys.name')}
          hint={t('passkeys.nameHint')}
          maxLength={64}
        />
      </Form>
    </Dialog>
  );
}
