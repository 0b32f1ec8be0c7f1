import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { endSession } from './end-session.ts';

/** Ends the session, clears everything loaded in it, and opens the sign-in page. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate } = useAction({
    mutationFn: endSession,
    onSuccess: async () => {
      await navigate({ to: '/login', search: {} });
      queryClient.clear();
    },
  });
  return mutate;
}
