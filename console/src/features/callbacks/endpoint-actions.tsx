import { type CallbackEndpoint, callbackEndpointEndpoints } from '@hengfu/contract/callback-endpoints';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { endpointsOptions } from './callbacks.api.ts';

interface EndpointActionsProps {
  endpoint: CallbackEndpoint;
  onEdit: () => void;
}

/** Edits an endpoint (with a second factor), pauses it, turns it off and on, skips the callbacks that wait for it, and removes it. */
export function EndpointActions({ endpoint, onEdit }: EndpointActionsProps): ReactElement {
  const t = useT();
  const [asked, setAsked] = useState<'skip' | 'remove'>();
  const hasFactor = useUser().twoFactor === 'on';
  const turn = useTurn(endpoint.id);
  const { state, waiting } = endpoint;
  const button = (to: 'on' | 'paused' | 'off', label: string) => (
    <Button aria-disabled={turn.isPending} onClick={() => turn.mutate(to)}>
      {label}
    </Button>
  );
  return (
    <>
      {hasFactor && <Button onClick={onEdit}>{t('endpoints.edit')}</Button>}
      {state === 'on' && button('paused', t('endpoints.pause'))}
      {(state === 'paused' || state === 'autoPaused') && button('on', t('endpoints.resume'))}
      {state === 'off' ? button('on', t('endpoints.turnOn')) : button('off', t('endpoints.turnOff'))}
      {waiting > 0 && <Button onClick={() => setAsked('skip')}>{t('endpoints.skip')}</Button>}
      <Button look="quiet" onClick={() => setAsked('remove')}>
        {t('endpoints.remove')}
      </Button>
      {asked === 'skip' && <SkipDialog id={endpoint.id} onClose={() => setAsked(undefined)} />}
      {asked === 'remove' && <RemoveDialog id={endpoint.id} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function useTurn(id: string) {
  const t = useT();
  const client = useQueryClient();
  return useAction({
    mutationFn: (state: 'on' | 'paused' | 'off') =>
      call(callbackEndpointEndpoints.turn, { params: { endpoint_id: id }, body: { state } }),
    onSuccess: (_reply, state) => toast('success', t(`endpoints.turned.${state}`), 'endpoints'),
    onSettled: () => client.invalidateQueries({ queryKey: endpointsOptions.queryKey }),
  });
}

interface DialogProps {
  id: string;
  onClose: () => void;
}

function SkipDialog({ id, onClose }: DialogProps): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const form = useForm({
    send: () => call(callbackEndpointEndpoints.skipWaiting, { params: { endpoint_id: id } }),
    onDone: ({ data }) => {
      toast('success', t('endpoints.skipped', { count: data.skipped }), 'endpoints');
      onClose();
      void client.invalidateQueries({ queryKey: endpointsOptions.queryKey });
    },
  });
  return (
    <Dialog title={t('endpoints.skipTitle')} onClose={() => form.isBusy || onClose()}>
      <Form
        state={form}
        action={t('endpoints.skip')}
        look="danger"
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <p>{t('endpoints.skipText')}</p>
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ id, onClose }: DialogProps): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const form = useForm({
    send: () => call(callbackEndpointEndpoints.remove, { params: { endpoint_id: id } }),
    onDone: () => {
      toast('success', t('endpoints.removed'), 'endpoints');
      onClose();
      void client.invalidateQueries({ queryKey: endpointsOptions.queryKey });
    },
  });
  return (
    <Dialog title={t('endpoints.removeTitle')} onClose={() => form.isBusy || onClose()}>
      <Form
        state={form}
        action={t('endpoints.remove')}
        look="danger"
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <p>{t('endpoints.removeText')}</p>
      </Form>
    </Dialog>
  );
}
