import { ApiError } from '@hengfu/client/api-error.ts';
import { isSharedRole } from '@hengfu/contract/permissions';
import { invitationEndpoints, type ShownInvitation } from '@hengfu/contract/team';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { LanguageSelect } from '@hengfu/ui/controls/language-select.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { productTitle } from '../../platform/boot.ts';
import { BrandMark } from '../../platform/brand-mark.tsx';
import { useDocumentTitle } from '../../platform/document-title.ts';
import { messageOf } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { queryClient } from '../../platform/query-client.ts';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Loading } from '../../shared/loading.tsx';
import { roleText } from '../../shared/names/role-name.tsx';
import styles from './join-page.module.css';

interface JoinPageProps {
  token: string;
  /** Opens the console for the person who has just been signed in. */
  onSignedIn: () => void;
  /** Opens the sign-in page. */
  onSignIn: () => void;
  /** Email address of whoever is signed in in this browser. */
  signedInAs: string | undefined;
  /** Ends the session of whoever is signed in in this browser; undefined if nobody is. */
  onSignOut: (() => void) | undefined;
}

/** The page behind an invitation's link, where the invited person joins the team. */
export function JoinPage(props: JoinPageProps): ReactElement {
  const t = useT();
  useDocumentTitle(t('team.title'));
  return (
    <QueryClientProvider client={queryClient}>
      <main className={styles.page}>
        <header className={styles.bar}>
          <span className={styles.brand}>
            <BrandMark size={32} />
            {productTitle}
          </span>
          <LanguageSelect />
        </header>
        <Invitation {...props} />
      </main>
    </QueryClientProvider>
  );
}

function Invitation({ token, onSignedIn, onSignIn, onSignOut, signedInAs }: JoinPageProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const params = { token };
  const { data, error, refetch } = useQuery({
    ...reading(invitationEndpoints.get, { params }),
    // Once it has been used, its link says so; what was read stays on screen.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [hasJoined, setJoined] = useState(false);
  if (!data) {
    const isDead = error instanceof ApiError && deadLinks.includes(error.code);
    return (
      <section className={styles.card}>
        <h1>{t('team.invitation')}</h1>
        {isDead && <DeadLink error={error} onSignIn={onSignIn} />}
        {error && !isDead && <Failure error={error} onRetry={() => void refetch()} />}
        {!error && <Loading />}
      </section>
    );
  }
  // An invitation to another merchant is accepted in the person's own session.
  const isOwn = signedInAs === data.email;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section className={styles.card}>
      <h1>{t('team.joinTitle', { merchant: data.merchant })}</h1>
      {hasJoined ? (
        <>
          <Notice tone="good">
            {t(isOwn ? 'team.acceptedHere' : 'team.accepted', { merchant: data.merchant })}
          </Notice>
          <Button look="primary" onClick={isOwn ? onSignedIn : onSignIn}>
            {t(isOwn ? 'shell.toDashboard' : 'team.toSignIn')}
          </Button>
        </>
      ) : (
        <>
          <p>
            {data.invitedBy === null
              ? t('team.joinTextStaff', { merchant: data.merchant })
              : t('team.joinText', { by: data.invitedBy, merchant: data.merchant })}
          </p>
          <dl className={styles.roles}>
            {data.roles.map((role) => (
              <div key={role}>
                <dt>{roleText(t, role, data.ownRoles)}</dt>
                <dd>
                  {isSharedRole(role)
                    ? t(`team.roleText.${role}`)
                    : data.ownRoles.find(({ code }) => code === role)?.description}
                </dd>
              </div>
            ))}
          </dl>
          {onSignOut && !isOwn ? (
            <>
              <Notice tone="waiting">{t('team.signOutFirst')}</Notice>
              <Button look="primary" onClick={onSignOut}>
                {t('session.signOut')}
              </Button>
            </>
          ) : (
            <JoinForm
              token={token}
              invitation={data}
              onJoined={(isSignedIn) => (isSignedIn ? onSignedIn() : setJoined(true))}
              onChanged={() => void refetch()}
            />
          )}
          <p className={styles.note}>
            {t('team.validUntil', { at: formatInstant(data.expiresAt, zone, language, 'full') })}
          </p>
        </>
      )}
    </section>
  );
}

/** Refusals of a link that no second try changes. */
const deadLinks: readonly ApiError['code'][] = [
  'not_found',
  'validation_failed',
  'link_used',
  'link_expired',
  'link_revoked',
];

/** Says why a link leads nowhere, and what to do instead. */
function DeadLink({ error, onSignIn }: { error: ApiError; onSignIn: () => void }): ReactElement {
  const t = useT();
  const isUnknown = error.code === 'not_found' || error.code === 'validation_failed';
  return (
    <>
      <Notice tone="bad">{isUnknown ? t('team.linkUnknown') : messageOf(error)}</Notice>
      <p>{t('team.askForLink')}</p>
      <Button onClick={onSignIn}>{t('team.toSignIn')}</Button>
    </>
  );
}

interface JoinFormProps {
  token: string;
  invitation: ShownInvitation;
  onJoined: (isSignedIn: boolean) => void;
  /** The invitation is no longer what the form shows. */
  onChanged: () => void;
}

/** Asks a new person for a name and a password, and one who has an account for its password. */
function JoinForm({
  token,
  invitation: { email, hasAccount },
  onJoined,
  onChanged,
}: JoinFormProps): ReactElement {
  const t = useT();
  const form = useForm({
    schema: invitationEndpoints.accept.body,
    send: (body) =>
      call(invitationEndpoints.accept, {
        params: { token },
        body: hasAccount
          ? { password: String(body.password) }
          : {
              name: String(body.name),
              password: String(body.password),
              password_confirmation: String(body.password_confirmation),
            },
      }),
    onDone: (reply) => onJoined(reply.signed_in),
    inPlace: [
      'already_signed_in',
      'link_used',
      'link_expired',
      'link_revoked',
      'merchant_suspended',
      'not_found',
    ],
  });
  const hasChanged = form.error?.code === 'conflict';
  const tellChanged = useEffectEvent(onChanged);
  useEffect(() => {
    if (hasChanged) tellChanged();
  }, [hasChanged]);
  const isMixed = form.error?.code === 'already_signed_in';
  const newPassword = hasAccount ? 'current-password' : 'new-password';
  return (
    <Form state={isMixed ? { ...form, refusal: t('team.signOutFirst') } : form} action={t('team.join')}>
      {hasAccount && <p>{t('team.joinKnown')}</p>}
      <TextField
        form={form}
        name="email"
        label={t('team.joinAs')}
        value={email}
        readOnly
        autoComplete="username"
      />
      {!hasAccount && (
        <TextField form={form} name="name" label={t('team.yourName')} autoComplete="name" maxLength={255} />
      )}
      <TextField
        form={form}
        name="password"
        type="password"
        label={t('team.password')}
        autoComplete={newPassword}
      />
      {!hasAccount && (
        <TextField
          form={form}
          name="password_confirmation"
          type="password"
          label={t('team.passwordAgain')}
          autoComplete="new-password"
        />
      )}
    </Form>
  );
}
