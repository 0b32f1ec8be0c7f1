import type { CurrentUser } from '@hengfu/contract/session';
import type { ReactNode } from 'react';
import { chooseLanguage } from '../../platform/choose-language.ts';
import { languages, type Translate } from '../../platform/i18n.ts';
import { languageNames } from '../../platform/languages.ts';
import { setPreference } from '../../platform/preferences.ts';
import type { IconName } from '../../ui/icon.tsx';
import { type MenuPage, menu } from '../menu.ts';
import { visibleMenu } from '../menu-rules.ts';
import { keysOf } from '../shortcuts/shortcuts.ts';

/** A row of the palette: what it says, and what choosing it does. */
export interface Entry {
  id: string;
  icon: IconName;
  title: string;
  /** More about it, in quieter letters. */
  hint?: string | undefined;
  /** What it is found by, its title first. */
  words: readonly string[];
  /** Figures and status, where it is an order. */
  detail?: ReactNode;
  /** The keys that do the same. */
  keys?: readonly string[];
  /** An address to go to, or something to do. */
  does: string | (() => void);
  /** Notes that it was chosen. */
  onChosen?: () => void;
}

/** The phrases in the reader's language, and in English: people know pages by either. */
interface Speech {
  t: Translate;
  english: Translate | undefined;
}

/** The pages that the user may see, as rows. */
export function pageEntries(user: CurrentUser, { t, english }: Speech): Entry[] {
  return visibleMenu(menu, user).flatMap((group) =>
    group.children.map((page): Entry => {
      const titles = [page.title, group.title];
      return {
        id: `page ${page.path}`,
        icon: group.icon,
        title: t(page.title),
        hint: t(page.title) === t(group.title) ? undefined : t(group.title),
        words: [
          ...titles.map((title) => t(title)),
          ...(english ? titles.map((title) => english(title)) : []),
        ],
        keys: keysOf(page.path),
        does: page.path,
      };
    }),
  );
}

/** What else can be done from here. */
interface Doing {
  signOut: () => void;
  showHelp: () => void;
  language: string;
  isDark: boolean;
}

type ActionName = 'payout' | 'batch' | 'topup' | 'withdraw' | 'dark' | 'light' | 'help' | 'signOut';

/** The actions that the user may take, as rows. */
export function actionEntries(
  user: CurrentUser,
  { t, english }: Speech,
  { signOut, showHelp, language, isDark }: Doing,
): Entry[] {
  const permitted = new Set(visibleMenu(menu, user).flatMap(({ children }) => children.map(pathOf)));
  const action = (name: ActionName, icon: IconName, does: Entry['does'], keys: string[] = []): Entry => {
    const title = `search.action.${name}` as const;
    const words = [t(title), ...(english ? [english(title)] : [])];
    return { id: `action ${name}`, icon, title: t(title), words, keys, does };
  };
  const leading = [
    action('payout', 'send', '/behalfPay/apply', ['N']),
    action('batch', 'send', '/behalfPay/apply?mode=batch'),
    action('topup', 'topUp', '/recharge/topup'),
    action('withdraw', 'withdraw', '/withdrawal/apply'),
  ].filter(({ does }) => typeof does === 'string' && permitted.has(does.split('?')[0] ?? ''));
  const others = languages.filter((other) => other !== language);
  return [
    ...leading,
    isDark
      ? action('light', 'sun', () => setPreference('theme', 'light'))
      : action('dark', 'moon', () => setPreference('theme', 'dark')),
    ...others.map(
      (other): Entry => ({
        id: `language ${other}`,
        icon: 'language',
        title: t('search.action.language', { name: languageNames[other] }),
        words: [languageNames[other], t('shell.language'), english?.('shell.language') ?? ''],
        does: () => chooseLanguage(other),
      }),
    ),
    action('help', 'keyboard', showHelp, ['?']),
    action('signOut', 'signOut', signOut),
  ];
}

function pathOf({ path }: MenuPage): string {
  return path;
}
