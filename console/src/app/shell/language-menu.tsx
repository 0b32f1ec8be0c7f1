import { chooseLanguage } from '../../platform/choose-language.ts';
import { languages, useLanguage, useT } from '../../platform/i18n.ts';
import { languageNames, localeOf } from '../../platform/languages.ts';
import { Icon } from '../../ui/icon.tsx';
import { itemClass } from './menu-panel.tsx';
import { PopupMenu } from './popup-menu.tsx';

/** The language switch of the top bar; each language is shown by its own name. */
export function LanguageMenu() {
  const t = useT();
  const current = useLanguage();
  return (
    <PopupMenu label={t('shell.language')} opener={<Icon name="language" size={18} />}>
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
