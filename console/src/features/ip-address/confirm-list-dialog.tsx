import { ApiError } from '@hengfu/client/api-error.ts';
import type { ReplyOf } from '@hengfu/contract/endpoint';
import { ipAddressEndpoints } from '@hengfu/contract/ip-address';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { type ReactElement, useState } from 'react';
import { messageOf } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';

/** Refusals that a confirmation lifts. */
export const listQuestions = ['whitelist_open', 'whitelist_empty', 'whitelist_excludes'] as const;

/** Returns the refusal if it asks for a confirmation. */
export function listQuestion(error: unknown): ApiError | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return listQuestions.some((code) => code === error.code) ? error : undefined;
}

interface ConfirmListDialogProps {
  /** The list as it was sent, and the version of the one that it replaces. */
  list: { addresses: string; version: string };
  /** The server's refusal, which names the addresses that matter. */
  refusal: ApiError;
  onSaved: (reply: ReplyOf<typeof ipAddressEndpoints.set>) => void;
  onClose: () => void;
}

/**
 * Asks for confirmation of a whitelist that allows a large part of the internet, or stops the merchant's own
 * systems, and saves it. Asks once more if the list does both.
 */
export function ConfirmListDialog({ list, refusal, onSaved, onClose }: ConfirmListDialogProps): ReactElement {
  const t = useT();
  const [asked, setAsked] = useState([refusal]);
  const isOpen = (error: ApiError | undefined) => error?.code === 'whitelist_open';
  const form = useForm({
    send: async () => {
      const confirmOpen = asked.some(isOpen);
      const confirmClosed = asked.some((error) => !isOpen(error));
      try {
        return await call(ipAddressEndpoints.set, { body: { ...list, confirmOpen, confirmClosed } });
      } catch (error) {
        const next = listQuestion(error);
        if (next) setAsked([...asked, next]);
        throw error;
      }
    },
    onDone: onSaved,
    inPlace: listQuestions,
  });
  const question = asked.at(-1) ?? refusal;
  const state = { ...form, refusal: listQuestion(form.error) ? undefined : form.refusal };
  return (
    <Dialog
      key={question.code}
      title={t(isOpen(question) ? 'ipAddress.openTitle' : 'ipAddress.closedTitle')}
      onClose={onClose}
    >
      <Form
        state={state}
        action={t('ipAddress.saveAnyway')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <Notice tone="bad">{messageOf(question)}</Notice>
        <p>{t(isOpen(question) ? 'ipAddress.openText' : 'ipAddress.closedText')}</p>
      </Form>
    </Dialog>
  );
}
