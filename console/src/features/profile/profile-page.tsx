import { profileEndpoints } from '@hengfu/contract/profile';
import { sessionEndpoints } from '@hengfu/contract/session';
import type { ReactElement } from 'react';
import { chooseLanguage } from '../../platform/choose-language.ts';
import { call } from '../../platform/http.ts';
import { languages, useT } from '../../platform/i18n.ts';
import { languageNames, localeOf } from '../../platform/languages.ts';
import { setSessionUser, useUser } from '../../platform/session-store.ts';
import { toast } from '../../platform/toast.ts';
import { Form, SelectField, TextField } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { useCallForm } from '../../ui/use-form.ts';
import { ZoneField } from './zone-field.tsx';

/** Settings → Profile. */
export function ProfilePage(): ReactElement {
  const t = useT();
  const user = useUser();
  const form = useCallForm(profileEndpoints.update, async () => {
    toast('success', t('profile.saved'), 'profile');
    const { data } = await call(sessionEndpoints.user);
    setSessionUser(data);
    const isNew = data.language !== user.language;
    if (isNew && data.language !== null) chooseLanguage(data.language);
  });
  return (
    <Page title={t('profile.title')}>
      <Section isCard isTitleHidden title={t('profile.title')}>
        <Form state={form} action={t('profile.save')}>
          <TextField
            form={form}
            name="name"
            label={t('profile.nameLabel')}
            defaultValue={user.name}
            autoComplete="name"
            maxLength={255}
          />
          <TextField
            form={form}
            name="email"
            type="email"
            label={t('profile.email')}
            hint={t('profile.emailHint')}
            defaultValue={user.email}
            autoComplete="email"
            maxLength={255}
          />
          <ZoneField form={form} />
          <SelectField
            form={form}
            name="language"
            label={t('profile.language')}
            hint={t('profile.languageHint')}
            defaultValue={user.language ?? ''}
          >
            <option value="">{t('profile.browserLanguage')}</option>
            {languages.map((language) => (
              <option key={language} value={language} lang={localeOf[language]}>
                {languageNames[language]}
              </option>
            ))}
          </SelectField>
        </Form>
      </Section>
    </Page>
  );
}
