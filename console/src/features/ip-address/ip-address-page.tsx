import type { ReplyOf } from '@hengfu/contract/endpoint';
import { type IpPreview, ipAddressEndpoints } from '@hengfu/contract/ip-address';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, LinesField } from '@hengfu/ui/form/form.tsx';
import { type DrawnForm, SavedForm } from '@hengfu/ui/form/saved-form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { queryClient } from '../../platform/query-client.ts';
import { hasPerm, useUser } from '../../platform/session-store.ts';
import { AccessApproval } from '../../shared/access/access-approval.tsx';
import { accessRequestsOptions } from '../../shared/access/access-requests.api.ts';
import { Failure } from '../../shared/failure.tsx';
import { useCallForm, useForm } from '../../shared/forms/use-form.ts';
import { Loading } from '../../shared/loading.tsx';
import { ConfirmListDialog, listQuestion, listQuestions } from './confirm-list-dialog.tsx';
import { ipAddressOptions } from './ip-address.api.ts';
import { Preview } from './preview.tsx';

/** Prefetches the page's data. */
export const prefetch = (): void => {
  void queryClient.prefetchQuery(ipAddressOptions);
  void queryClient.prefetchQuery(accessRequestsOptions);
};

/** Settings → IP address. */
export function IpAddressPage(): ReactElement {
  const t = useT();
  const { data, dataUpdatedAt, error, refetch } = useQuery(ipAddressOptions);
  // Approvals and colleagues change the list.
  useLive(['approvals'], ipAddressOptions.queryKey);
  return (
    <Page title={t('ipAddress.title')} intro={t('ipAddress.intro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      <AccessApproval setting="whitelist" />
      {data && (
        <SavedForm saved={data} readAt={dataUpdatedAt}>
          {(drawn) => <ListForm {...drawn} />}
        </SavedForm>
      )}
    </Page>
  );
}

/** The saved list, and its version. */
type SavedList = ReplyOf<typeof ipAddressEndpoints.get>['data'];

/** Edits the list, and previews its effect before it is saved. */
function ListForm({ from, onEdit, onSend, onSaved: onAccepted }: DrawnForm<SavedList>): ReactElement {
  const t = useT();
  const mayChange = hasPerm(useUser(), 'access.manage');
  const [preview, setPreview] = useState<IpPreview>();
  /** The list was last sent to be checked, not to be saved. */
  const [isChecked, setChecked] = useState(false);
  const check = useCallForm(ipAddressEndpoints.preview, ({ data }) => setPreview(data));
  const { save, question, onSaved, onDismiss } = useSaving({ version: from.version, onSend, onAccepted });
  const faults = { ...check.faults, ...save.faults };
  const state = {
    ...save,
    faults,
    refusal: (isChecked ? check : save).refusal,
    forget: (name: string) => {
      check.forget(name);
      save.forget(name);
    },
    isBusy: save.isBusy || check.isBusy,
    submit: (event: Parameters<typeof save.submit>[0]) => {
      const { submitter } = event.nativeEvent as SubmitEvent;
      const isCheck = submitter instanceof HTMLElement && submitter.dataset.check !== undefined;
      setChecked(isCheck);
      (isCheck ? check : save).submit(event);
    },
  };
  return (
    <>
      <Section isCard isTitleHidden title={t('ipAddress.label')}>
        <Form
          isWide
          state={state}
          onEdit={onEdit}
          action={t('ipAddress.save')}
          extra={
            <Button type="submit" data-check="">
              {t('ipAddress.check')}
            </Button>
          }
        >
          <LinesField
            form={state}
            name="addresses"
            label={t('ipAddress.label')}
            hint={t('ipAddress.hint')}
            placeholder={t('ipAddress.placeholder')}
            defaultValue={from.addresses.join('\n')}
            readOnly={!mayChange}
            spellCheck={false}
            onChange={() => setPreview(undefined)}
          />
        </Form>
      </Section>
      {question && <ConfirmListDialog {...question} onSaved={onSaved} onClose={onDismiss} />}
      {preview && <Preview {...preview} />}
    </>
  );
}

/** Saves a list. `question` is set while the server asks to confirm the list just sent. */
function useSaving({
  version,
  onSend,
  onAccepted,
}: {
  /** Of the list that is being changed. */
  version: string;
  onSend: () => void;
  onAccepted: () => void;
}) {
  const t = useT();
  const client = useQueryClient();
  const [sent, setSent] = useState<string>();
  const onDismiss = () => setSent(undefined);
  const onSaved = (reply: ReplyOf<typeof ipAddressEndpoints.set>) => {
    onDismiss();
    onAccepted();
    toast('success', t(reply === '' ? 'profile.saved' : 'approvals.asked'), 'ip-address');
    void client.invalidateQueries({ queryKey: accessRequestsOptions.queryKey });
    void client.invalidateQueries({ queryKey: ipAddressOptions.queryKey });
  };
  const form = useForm({
    schema: ipAddressEndpoints.set.body,
    send: async (body) => {
      const { addresses } = ipAddressEndpoints.set.body.parse(body);
      setSent(addresses);
      onSend();
      return call(ipAddressEndpoints.set, { body: { addresses, version } });
    },
    onDone: onSaved,
    inPlace: listQuestions,
  });
  const refusal = listQuestion(form.error);
  const question =
    refusal && sent !== undefined ? { list: { addresses: sent, version }, refusal } : undefined;
  return { save: { ...form, refusal: refusal ? undefined : form.refusal }, question, onSaved, onDismiss };
}
