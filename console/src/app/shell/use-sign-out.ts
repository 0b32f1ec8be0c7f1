import { sessionEndpoints } from '@hengfu/contract/session';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { clearCookies } from '../../platform/cookies.ts';
import { call } from '../../platform/http.ts';
import { currentLanguage, useT } from '../../platform/i18n.ts';
import { resetSession } from '../../platform/session-store.ts';
import { writeStored } from '../../platform/stored.ts';
import { toast } from '../../platform/toast.ts';
import { forgetOpened } from '../search/forget-opened.ts';
import { forgetTags } from '../tags/tags.ts';

/** Ends the session, clears everything loaded in it, and opens the sign-in page. */
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
      // The language outlives the session in local storage.
      writeStored('language', currentLanguage());
      clearCookies();
      toast('success', t('session.signedOut'));
      await navigate({ to: '/login', search: {} });
      queryClient.clear();
    },
  });
  return mutate;
}

/** Signs out on the server. A 401 counts as success: the session has already ended. */
async function endSession(): Promise<void> {
  try {
    await call(sessionEndpoints.logout, { isSigningOut: true });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}
