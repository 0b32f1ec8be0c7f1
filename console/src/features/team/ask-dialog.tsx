import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { useForm } from '../../shared/forms/use-form.ts';

interface AskDialogProps<R> {
  title: string;
  text: string;
  /** Advice for afterwards. */
  hint?: string | undefined;
  action: string;
  run: () => Promise<R>;
  onDone: (reply: R) => void;
  onClose: () => void;
}

/** Asks before it changes somebody's access, and shows a refusal in place. */
export function AskDialog<R>({
  title,
  text,
  hint,
  action,
  run,
  onDone,
  onClose,
}: AskDialogProps<R>): ReactElement {
  const t = useT();
  const form = useForm({
    send: run,
    onDone,
    inPlace: [
      'roles_exceed',
      'own_membership',
      'last_owner',
      'approvers_missing',
      'role_in_use',
      'not_found',
    ],
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form state={form} action={action} extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}>
        <p>{text}</p>
        {hint && <Notice tone="waiting">{hint}</Notice>}
      </Form>
    </Dialog>
  );
}
