import { localeOf } from '@hengfu/contract/languages';
import { profileEndpoints } from '@hengfu/contract/profile';
import { sessionEndpoints } from '@hengfu/contract/session';
import { chooseLanguage } from '@hengfu/ui/controls/choose-language.ts';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { languages, useT } from '@hengfu/ui/language/i18n.ts';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { setSessionUser, useUser } from '../../platform/session-store.ts';
import { useCallForm } from '../../shared/forms/use-form.ts';
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
        <Form isWide state={form} action={t('profile.save')}>
          <FieldGrid>
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
          </FieldGrid>
        </Form>
      </Section>
    </Page>
  );
}
