import { localeOf } from '@hengfu/contract/languages';
import { chooseLanguage } from '@hengfu/ui/controls/choose-language.ts';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { languages, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';

/** The language switch of the top bar; each language is shown by its own name. */
export function LanguageMenu() {
  const t = useT();
  const current = useLanguage();
  return (
    <Menu
      label={t('shell.language')}
      opener={<Icon name="language" size={18} />}
      entries={languages.map((language) => ({
        label: languageNames[language],
        lang: localeOf[language],
        isChosen: language === current,
        onChosen: () => chooseLanguage(language),
      }))}
    />
  );
}
