import { profileEndpoints } from '@hengfu/contract/profile';
import { sessionEndpoints } from '@hengfu/contract/session';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { setSessionUser, useUser } from '../../platform/session-store.ts';
import { toast } from '../../platform/toast.ts';
import { Form, TextField, useCallForm } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';

/** Settings → Profile. */
export function ProfilePage(): ReactElement {
  const t = useT();
  const { name, email } = useUser();
  const form = useCallForm(profileEndpoints.update, async () => {
    toast('success', t('profile.saved'), 'profile');
    setSessionUser((await call(sessionEndpoints.user)).data);
  });
  return (
    <Page title={t('profile.title')}>
      <Section isCard title={t('profile.title')}>
        <Form state={form} action={t('profile.save')}>
          <TextField
            form={form}
            name="name"
            label={t('profile.nameLabel')}
            defaultValue={name}
            autoComplete="name"
            maxLength={255}
          />
          <TextField
            form={form}
            name="email"
            type="email"
            label={t('profile.email')}
            hint={t('profile.emailHint')}
            defaultValue={email}
            autoComplete="email"
            maxLength={255}
          />
        </Form>
      </Section>
    </Page>
  );
}
