import { useT } from '@hengfu/ui/language/i18n.ts';
import { useEffect } from 'react';

/** Marks the title of the browser tab, whichever page sets it. */
export function TestTitle(): null {
  const mark = `${useT()('testMode.titleMark')} · `;
  useEffect(() => {
    const show = () => {
      if (!document.title.startsWith(mark)) document.title = mark + document.title;
    };
    show();
    const watch = new MutationObserver(show);
    watch.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => watch.disconnect();
  }, [mark]);
  return null;
}
