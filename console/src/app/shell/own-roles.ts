import { sessionEndpoints } from '@hengfu/contract/session';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { sessionUser, setSessionUser, useUser } from '../../platform/session-store.ts';

const userOptions = reading(sessionEndpoints.user);

/** Reads the user again when the team changes, so that menu and buttons fit the roles that the user has now. */
export function OwnRoles(): null {
  const user = useUser();
  const { data } = useQuery({
    ...userOptions,
    initialData: user,
    staleTime: Number.POSITIVE_INFINITY,
    // The session's user is kept elsewhere; an old one must not come back.
    gcTime: 0,
  });
  useLive(['team'], userOptions.queryKey);
  useEffect(() => {
    const known = sessionUser();
    // Signed out meanwhile, or somebody else: nothing to adopt.
    if (known?.id === data.id && known !== data) setSessionUser(data);
  }, [data]);
  return null;
}
