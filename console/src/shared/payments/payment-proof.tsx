import { authorization } from '@hengfu/contract/authorization';
import { TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import * as z from 'zod';
import { type FormOptions, textsOf, useForm } from '../forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from './second-factor-field.tsx';

/** The payment password, and the code of the second factor; empty if a passkey proves it. */
export interface PaymentProof {
  payment_password: string;
  code: string;
}

interface ProofFormOptions<R> extends Pick<FormOptions<R>, 'onDone' | 'inPlace'> {
  send: (proof: PaymentProof) => Promise<R>;
}

const credentials = z.object(authorization);

/** The state of a form whose only fields are {@link PaymentProofFields}. */
export function useProofForm<R>({
  send,
  onDone,
  inPlace,
}: ProofFormOptions<R>): ReturnType<typeof useForm<R>> {
  const showFactor = useSecondFactor();
  return useForm({
    schema: credentials,
    send: async (body) => {
      const { payment_password = '', code = '' } = textsOf(body);
      await showFactor({ code });
      return send({ payment_password, code });
    },
    onDone,
    ...(inPlace && { inPlace }),
  });
}

/** Asks for the payment password and, if it is on, the second factor. */
export function PaymentProofFields({ form }: { form: FormState }): ReactElement {
  const t = useT();
  return (
    <>
      <TextField
        form={form}
        name="payment_password"
        type="password"
        autoComplete="off"
        label={t('payouts.paymentPassword')}
      />
      <SecondFactorField form={form} />
    </>
  );
}
