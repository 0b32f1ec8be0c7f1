import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type Translate, translatorOf, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useShownTheme } from '@hengfu/ui/theme/shown-theme.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useEffect, useState } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { actionEntries, type Entry, pageEntries } from './entries.ts';
import { hrefOf, kindLooks, kindsOf, lookOf } from './hits.ts';
import { matching } from './match.ts';
import { noteOpened, recentlyOpened } from './recent.ts';
import type { Hits } from './use-hits.ts';

/** Rows under one heading. */
export interface Group {
  title: PhraseKey;
  entries: readonly Entry[];
}

/** The rows of the palette for a query: matching pages and actions, and the server's results. */
export function useGroups(
  query: string,
  { found }: Hits,
  callbacks: Pick<ActionContext, 'signOut' | 'showHelp'>,
): Group[] {
  const t = useT();
  const user = useUser();
  const language = useLanguage();
  const isDark = useShownTheme() === 'dark';
  const translators = { t, english: useEnglish() };
  const open = (kind: (typeof found)[number]['kind'], number: string) => ({
    icon: kindLooks[kind].icon,
    action: hrefOf(kind, number, user),
    onChosen: () => noteOpened(user, { kind, number }),
  });
  const recent = recentlyOpened(user)
    .filter(({ kind }) => kindsOf(user).includes(kind))
    .map(({ kind, number }): Entry => {
      const title = t(kindLooks[kind].title);
      return {
        id: `recent ${number}`,
        title: number,
        hint: title,
        keywords: [number],
        ...open(kind, number),
      };
    });
  const hits = kindsOf(user).map((kind): Group => {
    const entries = found
      .filter((hit) => hit.kind === kind)
      .map((hit): Entry => {
        const { number, title, amount, currency, createdAt } = hit;
        const detail = (
          <>
            {amount !== null && currency !== null && <Money amount={amount} currency={currency} />}
            <StatusTag look={lookOf(hit)} />
            <TimeText at={createdAt} style="minute" />
          </>
        );
        return {
          id: `hit ${number}`,
          title: number,
          hint: title ?? undefined,
          keywords: [],
          detail,
          ...open(kind, number),
        };
      });
    return { title: kindLooks[kind].title, entries };
  });
  const groups: Group[] = [
    { title: 'search.group.recent', entries: query === '' ? recent : [] },
    { title: 'search.group.pages', entries: matching(pageEntries(user, translators), query) },
    {
      title: 'search.group.actions',
      entries: matching(actionEntries(user, translators, { ...callbacks, language, isDark }), query),
    },
    ...hits,
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

type ActionContext = Parameters<typeof actionEntries>[2];

/** The English translator, once its phrases have loaded. */
function useEnglish(): Translate | undefined {
  const [english, setEnglish] = useState<{ t: Translate }>();
  useEffect(() => {
    let isWanted = true;
    // If they fail to load, pages are found by the user's language only.
    translatorOf('en').then(
      (t) => isWanted && setEnglish({ t }),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return english?.t;
}
