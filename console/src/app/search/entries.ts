import type { CurrentUser } from '@hengfu/contract/session';
import { chooseLanguage } from '@hengfu/ui/controls/choose-language.ts';
import type { IconName } from '@hengfu/ui/controls/icon.tsx';
import { languages, type Translate } from '@hengfu/ui/language/i18n.ts';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { setPreference } from '@hengfu/ui/theme/preferences.ts';
import type { ReactNode } from 'react';
import { type MenuPage, menu } from '../menu.ts';
import { isPermitted, visibleMenu } from '../menu-rules.ts';
import { keysOf } from '../shortcuts/shortcuts.ts';

/** A row of the palette. */
export interface Entry {
  id: string;
  icon: IconName;
  title: string;
  /** Secondary text, shown muted. */
  hint?: string | undefined;
  /** Texts that a query is matched against; the first one is the title. */
  keywords: readonly string[];
  /** Amount and status, for an order. */
  detail?: ReactNode;
  /** The keyboard shortcut. */
  keys?: readonly string[];
  /** An address to open, or a function to run. */
  action: string | (() => void);
  onChosen?: () => void;
}

/** Translators into the user's language and English, because people know pages by either name. */
interface Translators {
  t: Translate;
  english: Translate | undefined;
}

/** The pages that the user may see, as rows. */
export function pageEntries(user: CurrentUser, { t, english }: Translators): Entry[] {
  return visibleMenu(menu, user).flatMap((group) =>
    group.children.map((page): Entry => {
      const titles = [page.title, group.title];
      return {
        id: `page ${page.path}`,
        icon: group.icon,
        title: t(page.title),
        hint: t(page.title) === t(group.title) ? undefined : t(group.title),
        keywords: [
          ...titles.map((title) => t(title)),
          ...(english ? titles.map((title) => english(title)) : []),
        ],
        keys: keysOf(page.path),
        action: page.path,
      };
    }),
  );
}

/** Callbacks and state that the actions depend on. */
interface ActionContext {
  signOut: () => void;
  showHelp: () => void;
  language: string;
  isDark: boolean;
}

type ActionName =
  | 'collection'
  | 'payout'
  | 'batch'
  | 'topup'
  | 'withdraw'
  | 'dark'
  | 'light'
  | 'help'
  | 'signOut';

/** The actions that the user may take, as rows. */
export function actionEntries(
  user: CurrentUser,
  { t, english }: Translators,
  { signOut, showHelp, language, isDark }: ActionContext,
): Entry[] {
  const permitted = new Set<string>(
    menu.flatMap(({ children }) => children.filter((page) => isPermitted(page, user)).map(pathOf)),
  );
  const entry = (name: ActionName, icon: IconName, action: Entry['action'], keys: string[] = []): Entry => {
    const title = `search.action.${name}` as const;
    const keywords = [t(title), ...(english ? [english(title)] : [])];
    return { id: `action ${name}`, icon, title: t(title), keywords, keys, action };
  };
  const leading = [
    entry('collection', 'receive', '/collection/new', ['C']),
    entry('payout', 'send', '/behalfPay/apply', ['N']),
    entry('batch', 'send', '/behalfPay/apply?mode=batch'),
    entry('topup', 'topUp', '/recharge/topup'),
    entry('withdraw', 'withdraw', '/withdrawal/apply'),
  ].filter(({ action }) => typeof action === 'string' && permitted.has(action.split('?')[0] ?? ''));
  const others = languages.filter((other) => other !== language);
  return [
    ...leading,
    isDark
      ? entry('light', 'sun', () => setPreference('theme', 'light'))
      : entry('dark', 'moon', () => setPreference('theme', 'dark')),
    ...others.map(
      (other): Entry => ({
        id: `language ${other}`,
        icon: 'language',
        title: t('search.action.language', { name: languageNames[other] }),
        keywords: [languageNames[other], t('shell.language'), english?.('shell.language') ?? ''],
        action: () => chooseLanguage(other),
      }),
    ),
    entry('help', 'keyboard', showHelp, ['?']),
    entry('signOut', 'signOut', signOut),
  ];
}

function pathOf({ path }: MenuPage): string {
  return path;
}
