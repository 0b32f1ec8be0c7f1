import type { RequestFact, StaffRequest } from '@hengfu/contract/staff/requests';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import { factText, type Reader, subjectText } from '../../shared/fact-words.ts';

function useReader(): Reader {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUiSettings();
  return { t, language, zone };
}

/** Returns a function that puts one side of a fact into the reader's words. */
export function useFactText(): (name: RequestFact['name'], value: string | null) => string {
  const reader = useReader();
  return (name, value) => factText(name, value, reader);
}

/** Returns a function that names the object of a request, whose merchant is shown beside it. */
export function useSubjectText(): (request: Pick<StaffRequest, 'kind' | 'subject'>) => string {
  const reader = useReader();
  return (request) => subjectText(request, reader);
}
