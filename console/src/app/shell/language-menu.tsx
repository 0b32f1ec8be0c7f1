import { chooseLanguage } from '../../platform/choose-language.ts';
import { languages, useLanguage, useT } from '../../platform/i18n.ts';
import { languageNames, localeOf } from '../../platform/languages.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';

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
