import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { JoinPage } from '../../features/team/join-page.tsx';
import { isMarkedSignedIn, markSignedIn, sessionUser } from '../../platform/session-store.ts';

const route = getRouteApi('/invitation/$token');

/** Shows the invitation of the token in the address. */
export function JoinByLink(): ReactElement {
  const { token } = route.useParams();
  const { endSession } = route.useRouteContext();
  return (
    <JoinPage
      token={token}
      onSignedIn={() => {
        markSignedIn();
        // The whole page anew, and not in the history: the address holds the token.
        location.replace('/');
      }}
      onSignIn={() => location.replace('/login')}
      signedInAs={sessionUser()?.email}
      onSignOut={
        isMarkedSignedIn()
          ? async () => {
              await endSession();
              location.reload();
            }
          : undefined
      }
    />
  );
}
