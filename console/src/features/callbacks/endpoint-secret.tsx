import {
  type CallbackEndpoint,
  callbackEndpointEndpoints,
  secretOverlapHours,
} from '@hengfu/contract/callback-endpoints';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { RadioGroup } from '@hengfu/ui/controls/radio.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import { textsOf, useForm } from '../../shared/forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from '../../shared/payments/second-factor-field.tsx';
import { endpointsOptions } from './callbacks.api.ts';
import styles from './callbacks.module.css';

/** A secret to show, with an introduction if it was just made. */
export interface NewSecret {
  secret: string;
  news?: PhraseKey;
}

interface EndpointSecretProps {
  endpoint: CallbackEndpoint;
  onShown: (secret: NewSecret) => void;
}

/** Reveals the secret of an endpoint, or makes a new one. */
export function EndpointSecret({ endpoint, onShown }: EndpointSecretProps): ReactElement {
  const t = useT();
  const [open, setOpen] = useState<'reveal' | 'rotate'>();
  const close = () => setOpen(undefined);
  const show = (secret: NewSecret) => {
    onShown(secret);
    close();
  };
  return (
    <p className={styles.buttons}>
      <Button onClick={() => setOpen('reveal')}>{t('endpoints.reveal')}</Button>
      <Button onClick={() => setOpen('rotate')}>{t('endpoints.rotate')}</Button>
      {open === 'reveal' && <RevealDialog endpoint={endpoint} onShown={show} onClose={close} />}
      {open === 'rotate' && <RotateDialog endpoint={endpoint} onShown={show} onClose={close} />}
    </p>
  );
}

interface DialogProps extends EndpointSecretProps {
  onClose: () => void;
}

function RevealDialog({ endpoint: { id }, onShown, onClose }: DialogProps): ReactElement {
  const t = useT();
  const showFactor = useSecondFactor();
  const form = useForm({
    schema: callbackEndpointEndpoints.secret.query,
    send: async (body) => {
      await showFactor(body);
      return call(callbackEndpointEndpoints.secret, { params: { endpoint_id: id }, query: textsOf(body) });
    },
    onDone: ({ data }) => onShown(data),
  });
  return (
    <Dialog title={t('accessKey.codeTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('endpoints.reveal')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}

/** Makes a new secret. While a previous one still signs, a new one can only end both at once. */
function RotateDialog({ endpoint: { id, previousEndsAt }, onShown, onClose }: DialogProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const client = useQueryClient();
  const showFactor = useSecondFactor();
  const form = useForm({
    schema: callbackEndpointEndpoints.rotate.body,
    send: async (body) => {
      await showFactor(body);
      const { overlapHours = '', code } = textsOf(body);
      return call(callbackEndpointEndpoints.rotate, {
        params: { endpoint_id: id },
        body: { overlapHours, code },
      });
    },
    onDone: ({ data }) => {
      onShown({ ...data, news: 'endpoints.rotated' });
      void client.invalidateQueries({ queryKey: endpointsOptions.queryKey });
    },
  });
  // The new secret would not be shown.
  const close = () => form.isBusy || onClose();
  const isOverlapping = previousEndsAt !== null;
  return (
    <Dialog title={t('endpoints.rotateTitle')} onClose={close}>
      <Form
        state={form}
        action={t('endpoints.rotate')}
        look={isOverlapping ? 'danger' : 'primary'}
        extra={<Button onClick={close}>{t('profile.cancel')}</Button>}
      >
        {isOverlapping && (
          <Notice tone="waiting">
            {t('endpoints.rotateOverlaps', { time: formatInstant(previousEndsAt, zone, language, 'minute') })}
          </Notice>
        )}
        <RadioGroup
          name="overlapHours"
          label={t('endpoints.overlap')}
          choices={secretOverlapHours.map((hours) => ({
            value: String(hours),
            label: hours === 0 ? t('endpoints.overlapNone') : t('endpoints.overlapHours', { count: hours }),
            isDisabled: isOverlapping && hours > 0,
          }))}
          // Ending both is chosen on purpose.
          defaultValue={isOverlapping ? '' : '24'}
          onChange={() => form.forget('overlapHours')}
        />
        {form.faults.overlapHours && <p className={styles.fault}>{form.faults.overlapHours}</p>}
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}
