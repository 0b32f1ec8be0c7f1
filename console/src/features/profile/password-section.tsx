import { profileEndpoints } from '@hengfu/contract/profile';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useCallForm } from '../../shared/forms/use-form.ts';
import { securityEventsOptions, sessionsOptions } from './profile.api.ts';

/** Changes the login password, which requires the current one. */
export function PasswordSection(): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const form = useCallForm(profileEndpoints.changePassword, (_reply, element) => {
    element.reset();
    toast('success', t('profile.saved'), 'password');
    void client.invalidateQueries({ queryKey: sessionsOptions.queryKey });
    void client.invalidateQueries({ queryKey: securityEventsOptions.queryKey });
  });
  const field = (name: string, label: string, autoComplete: string) => (
    <TextField form={form} name={name} type="password" label={label} autoComplete={autoComplete} />
  );
  return (
    <Section isCard title={t('profile.passwordTitle')}>
      <Form isWide state={form} action={t('profile.change')}>
        <FieldGrid>
          {field('current_password', t('profile.current'), 'current-password')}
          {field('password', t('profile.next'), 'new-password')}
          {field('password_confirmation', t('profile.again'), 'new-password')}
        </FieldGrid>
        <p>{t('profile.changeHint')}</p>
      </Form>
    </Section>
  );
}
