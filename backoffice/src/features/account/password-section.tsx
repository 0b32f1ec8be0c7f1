import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { useRefresh } from '../../platform/refresh.ts';
import { useCallForm } from '../../shared/use-call-form.ts';

/** Changes the person's own password, which requires the current one. */
export function PasswordSection(): ReactElement {
  const t = useT();
  const refresh = useRefresh(staffSessionEndpoints.sessions.path);
  const form = useCallForm(staffSessionEndpoints.changePassword, (_reply, element) => {
    element.reset();
    toast('success', t('profile.saved'), 'password');
    refresh();
  });
  const fields = [
    ['current_password', t('profile.current'), 'current-password'],
    ['password', t('profile.next'), 'new-password'],
    ['password_confirmation', t('profile.again'), 'new-password'],
  ] as const;
  return (
    <Section isCard title={t('profile.passwordTitle')}>
      <Form isWide state={form} action={t('profile.change')}>
        <FieldGrid>
          {fields.map(([name, label, autoComplete]) => (
            <TextField
              key={name}
              form={form}
              name={name}
              type="password"
              label={label}
              autoComplete={autoComplete}
            />
          ))}
        </FieldGrid>
        <p>{t('profile.changeHint')}</p>
      </Form>
    </Section>
  );
}
