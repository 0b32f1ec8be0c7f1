import type { Language } from '@hengfu/contract/languages';
import type { Phrases } from '@hengfu/phrases/phrases';
import { useEffect, useState } from 'react';

export type LinkPhrases = Phrases['payLinks'];

const loaders: Record<Language, () => Promise<{ payLinks: LinkPhrases }>> = {
  'zh-cn': () => import('@hengfu/phrases/zh-cn/pay-links'),
  en: () => import('@hengfu/phrases/en/pay-links'),
  vi: () => import('@hengfu/phrases/vi/pay-links'),
};

/** Loads the phrases of the page in a language. Until another language has loaded, the phrases before stay. */
export function useLinkPhrases(language: Language): LinkPhrases | undefined {
  const [phrases, setPhrases] = useState<LinkPhrases>();
  useEffect(() => {
    let isCurrent = true;
    loaders[language]().then(
      ({ payLinks }) => {
        if (isCurrent) setPhrases(payLinks);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return phrases;
}
