import type { RoleCode } from '@hengfu/contract/permissions';
import { invitationForm, invitationHours, type MadeInvitation, teamEndpoints } from '@hengfu/contract/team';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { RoleChoice } from './role-choice.tsx';

interface InviteDialogProps {
  onMade: (invitation: MadeInvitation) => void;
  onClose: () => void;
}

/** Invites a person by email address, with roles. */
export function InviteDialog({ onMade, onClose }: InviteDialogProps): ReactElement {
  const t = useT();
  const [chosen, setChosen] = useState<RoleCode[]>([]);
  const form = useForm({
    // Before the login password is asked for.
    schema: invitationForm,
    send: ({ email }) => call(teamEndpoints.invite, { body: { email: String(email), roles: chosen } }),
    onDone: ({ data }) => onMade(data),
    inPlace: ['roles_exceed', 'quota_reached'],
  });
  return (
    <Dialog title={t('team.inviteTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('team.sendInvitation')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <p>{t('team.inviteText', { hours: invitationHours })}</p>
        <TextField
          form={form}
          name="email"
          type="email"
          label={t('team.email')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
        />
        <RoleChoice form={form} chosen={chosen} onChange={setChosen} />
      </Form>
    </Dialog>
  );
}

/** Shows the link of an invitation, which nobody can read again. */
export function LinkDialog({
  made: { email, url, expiresAt, approvalState },
  onClose,
}: {
  made: MadeInvitation;
  onClose: () => void;
}): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  return (
    <Dialog title={t('team.linkTitle', { email })} onClose={onClose}>
      <Notice tone="waiting">
        {t('team.linkText', { at: formatInstant(expiresAt, zone, language, 'full') })}
      </Notice>
      {approvalState === 'waiting' && <Notice tone="waiting">{t('team.linkWaits')}</Notice>}
      <Fields fields={[{ label: t('team.link'), value: url, copy: url, isWide: true }]} />
      <div>
        <Button look="primary" onClick={onClose}>
          {t('team.done')}
        </Button>
      </div>
    </Dialog>
  );
}
