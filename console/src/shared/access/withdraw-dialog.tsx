import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';

interface WithdrawDialogProps {
  form: FormState;
  /** Says what follows. */
  hint: string;
  onClose: () => void;
}

/** Asks before a request is withdrawn. */
export function WithdrawDialog({ form, hint, onClose }: WithdrawDialogProps): ReactElement {
  const t = useT();
  return (
    <Dialog title={t('approvals.withdrawTitle')} onClose={() => form.isBusy || onClose()}>
      <Form
        state={form}
        action={t('approvals.withdraw')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <p>{hint}</p>
      </Form>
    </Dialog>
  );
}
