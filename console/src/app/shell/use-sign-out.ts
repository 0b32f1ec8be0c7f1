import { sessionEndpoints } from '@hengfu/contract/session';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { clearCookies } from '../../platform/cookies.ts';
import { call } from '../../platform/http.ts';
import { currentLanguage, setLanguage, useT } from '../../platform/i18n.ts';
import { resetSession } from '../../platform/session-store.ts';
import { toast } from '../../platform/toast.ts';
import { forgetOpened } from '../search/forget-opened.ts';
import { forgetTags } from '../tags/tags.ts';

/** Ends the session, forgets what was loaded in it, and leads to the sign-in page. */
export function useSignOut(): () => void {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: endSession,
    onSuccess: async () => {
      forgetTags();
      resetSession();
      forgetOpened();
      clearCookies();
      // The language is the reader's, not the session's.
      await setLanguage(currentLanguage());
      toast('success', t('session.signedOut'));
      await navigate({ to: '/login', search: {} });
      queryClient.clear();
    },
  });
  return mutate;
}

/** Somebody whose session is over already has reached what was wanted. */
async function endSession(): Promise<void> {
  try {
    await call(sessionEndpoints.logout, { isLeaving: true });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}
