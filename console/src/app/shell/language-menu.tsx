import { chooseLanguage } from '../../platform/choose-language.ts';
import { languageNames, languages, localeOf, useLanguage, useT } from '../../platform/i18n.ts';
import { Icon } from '../../platform/icons.tsx';
import { itemClass } from './menu-panel.tsx';
import { PopupMenu } from './popup-menu.tsx';

/** The language switch of the top bar: each language under its own name. */
export function LanguageMenu() {
  const t = useT();
  const current = useLanguage();
  return (
    <PopupMenu label={t('shell.language')} opener={<Icon name="language" />}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          role="menuitemradio"
          aria-checked={language === current}
          className={itemClass}
          lang={localeOf[language]}
          onClick={() => chooseLanguage(language)}
        >
          {languageNames[language]}
          {language === current && <Icon name="check" size={16} />}
        </button>
      ))}
    </PopupMenu>
  );
}
