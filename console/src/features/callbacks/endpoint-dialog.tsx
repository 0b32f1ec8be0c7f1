import {
  type CallbackEndpoint,
  type CallbackEvent,
  callbackEndpointEndpoints,
  callbackEvents,
} from '@hengfu/contract/callback-endpoints';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import { RadioGroup } from '@hengfu/ui/controls/radio.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { accessRequestsOptions } from '../../shared/access/access-requests.api.ts';
import { textsOf, useForm } from '../../shared/forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from '../../shared/payments/second-factor-field.tsx';
import { endpointsOptions } from './callbacks.api.ts';
import styles from './callbacks.module.css';

/** The fields that the form sends as texts; the events are chosen beside them, by controls that are no fields of the body. */
const texts = callbackEndpointEndpoints.create.body
  .pick({ url: true, description: true, code: true })
  .strip();

interface EndpointDialogProps {
  /** Undefined for a new one. */
  endpoint: CallbackEndpoint | undefined;
  onClose: () => void;
}

/** Adds an endpoint, or changes one. */
export function EndpointDialog({ endpoint, onClose }: EndpointDialogProps): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly CallbackEvent[] | null>(
    endpoint?.events ? callbackEvents.filter((event) => endpoint.events?.includes(event)) : null,
  );
  const prove = useSecondFactor();
  const form = useForm({
    schema: texts,
    send: async (fields) => {
      await prove(fields);
      const { url = '', description = '', code } = textsOf(fields);
      const body = { url, description, code, events: chosen === null ? null : [...chosen] };
      return endpoint
        ? call(callbackEndpointEndpoints.update, { params: { endpoint_id: endpoint.id }, body })
        : call(callbackEndpointEndpoints.create, { body });
    },
    onDone: ({ data }) => {
      const done = endpoint ? 'profile.saved' : 'endpoints.added';
      toast('success', t('request_no' in data ? 'approvals.asked' : done), 'endpoints');
      onClose();
      void client.invalidateQueries({ queryKey: endpointsOptions.queryKey });
      void client.invalidateQueries({ queryKey: accessRequestsOptions.queryKey });
    },
    inPlace: ['quota_reached'],
  });
  return (
    <Dialog
      title={t(endpoint ? 'endpoints.editTitle' : 'endpoints.addTitle')}
      onClose={() => form.isBusy || onClose()}
    >
      <Form
        state={form}
        action={t(endpoint ? 'endpoints.save' : 'endpoints.add')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <TextField
          form={form}
          name="url"
          type="url"
          label={t('endpoints.url')}
          hint={endpoint && t('endpoints.urlHint')}
          defaultValue={endpoint?.url ?? ''}
          placeholder="https://"
        />
        <TextField
          form={form}
          name="description"
          label={t('endpoints.description')}
          defaultValue={endpoint?.description ?? ''}
          maxLength={80}
        />
        <EventChoice form={form} chosen={chosen} onChange={setChosen} />
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}

interface EventChoiceProps {
  form: FormState;
  /** Null for all. */
  chosen: readonly CallbackEvent[] | null;
  onChange: (chosen: readonly CallbackEvent[] | null) => void;
}

/** Chooses all events, or some of them. */
function EventChoice({ form, chosen, onChange }: EventChoiceProps): ReactElement {
  const t = useT();
  const change = (next: readonly CallbackEvent[] | null) => {
    form.forget('events');
    onChange(next);
  };
  return (
    <>
      <RadioGroup
        label={t('endpoints.events')}
        value={chosen === null ? 'all' : 'some'}
        choices={[
          { value: 'all', label: t('endpoints.allEvents') },
          { value: 'some', label: t('endpoints.someEvents') },
        ]}
        onChange={(value) => change(value === 'all' ? null : callbackEvents)}
      />
      {chosen !== null && (
        <fieldset className={styles.choice}>
          <legend className="visually-hidden">{t('endpoints.someEvents')}</legend>
          {callbackEvents.map((event) => (
            <Checkbox
              key={event}
              checked={chosen.includes(event)}
              onChange={({ target }) =>
                change(
                  callbackEvents.filter((other) =>
                    other === event ? target.checked : chosen.includes(other),
                  ),
                )
              }
            >
              <code>{event}</code>
            </Checkbox>
          ))}
          <p className={styles.fault}>{form.faults.events}</p>
        </fieldset>
      )}
    </>
  );
}
