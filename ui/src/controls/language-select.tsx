import { localeOf } from '@hengfu/contract/languages';
import type { ReactElement } from 'react';
import { languages, useLanguage, useT } from '../language/i18n.ts';
import { languageNames } from '../language/languages.ts';
import { chooseLanguage } from './choose-language.ts';
import { Icon } from './icon.tsx';
import styles from './language-select.module.css';
import { Select } from './select.tsx';

/** The language switch of pages without a top bar; each language is shown by its own name. */
export function LanguageSelect(): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <label className={styles.language}>
      <Icon name="language" size={18} />
      <span className="visually-hidden">{t('shell.language')}</span>
      <Select
        look="plain"
        value={language}
        onChange={(event) => {
          const chosen = languages.find((candidate) => candidate === event.target.value);
          if (chosen) chooseLanguage(chosen);
        }}
      >
        {languages.map((candidate) => (
          <option key={candidate} value={candidate} lang={localeOf[candidate]}>
            {languageNames[candidate]}
          </option>
        ))}
      </Select>
    </label>
  );
}
