import { type InvitationLink, staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { type ReactElement, useState } from 'react';
import table from '../../../shared/table.module.css';
import { useCallForm } from '../../../shared/use-call-form.ts';
import { useRefresh } from '../use-refresh.ts';

/** Makes a new link for the owner of a merchant that has nobody yet. */
export function OwnerInvitation({ code, email }: { code: string; email: string }): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const [made, setMade] = useState<InvitationLink>();
  const onDone = ({ data }: { data: InvitationLink }) => {
    setMade(data);
    refresh();
  };
  const form = useCallForm(staffMerchantEndpoints.inviteOwner, onDone, { code });
  if (made) return <OwnerLink link={made} />;
  return (
    <Section title={t('officeMerchants.inviteOwner')} isCard>
      <p className={table.note}>{t('officeMerchants.inviteOwnerText')}</p>
      <Form state={form} action={t('officeMerchants.makeLink')}>
        <OwnerEmail form={form} email={email} />
      </Form>
    </Section>
  );
}

/** The field for the owner's email address. */
export function OwnerEmail({
  form,
  email,
}: {
  form: ReturnType<typeof useCallForm>;
  email?: string;
}): ReactElement {
  const t = useT();
  return (
    <TextField
      form={form}
      name="email"
      type="email"
      label={t('officeMerchants.ownerEmail')}
      hint={t('officeMerchants.ownerEmailHint')}
      defaultValue={email}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={255}
    />
  );
}

/** Shows the link of an invitation, which cannot be read again. */
export function OwnerLink({ link: { email, url, expiresAt } }: { link: InvitationLink }): ReactElement {
  const t = useT();
  return (
    <Section title={t('officeMerchants.linkTitle')} isCard>
      <Notice tone="waiting">{t('officeMerchants.linkText', { email })}</Notice>
      <Fields
        fields={[
          { label: t('officeMerchants.link'), value: url, copy: url, isWide: true },
          { label: t('officeMerchants.expires'), value: <TimeText at={expiresAt} /> },
        ]}
      />
    </Section>
  );
}
