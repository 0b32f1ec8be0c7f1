import { type TestCall, testCallEndpoints } from '@hengfu/contract/test-calls';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form, LinesField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useRef, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { CallResult } from './call-result.tsx';
import { Code } from './code.tsx';
import {
  fieldOf,
  type KnownNumbers,
  numbersIn,
  pathOf,
  startingBody,
  startingValue,
  withNewNumber,
} from './compose-call.ts';
import type { Operation } from './open-document.ts';
import styles from './test-calls.module.css';

interface SendFormProps {
  operation: Operation;
  keyId: string | undefined;
  known: KnownNumbers;
  onKnown: (found: KnownNumbers) => void;
}

/** The input of a call, filled with its example; a form that sends it if there is a key to sign with. */
export function SendForm({ operation, keyId, known, onKnown }: SendFormProps): ReactElement | null {
  const t = useT();
  const [startedWith] = useState(known);
  const [body] = useState(() => operation.body && startingBody(operation, known, Date.now()));
  const [result, setResult] = useState<TestCall>();
  const fields = useRef<HTMLDivElement>(null);
  const form = useForm({
    send: (input) =>
      call(testCallEndpoints.send, {
        body: {
          keyId: keyId ?? '',
          method: operation.method,
          path: pathOf(operation, input),
          idempotencyKey: String(input['header Idempotency-Key'] ?? '') || undefined,
          body: String(input.body ?? '') || undefined,
        },
      }),
    onDone: ({ data }) => {
      setResult(data);
      if (data.reply.status < 300) onKnown(numbersIn(operation, data.reply.body));
    },
    inPlace: ['not_found', 'merchant_suspended'],
  });
  if (keyId === undefined) {
    const { body: example } = operation;
    return example ? <Code title={t('testCalls.body')} text={JSON.stringify(example, null, 2)} /> : null;
  }
  const renew = () => {
    const field = fields.current?.querySelector('textarea');
    if (field) field.value = withNewNumber(field.value, Date.now());
  };
  const renewing = body !== undefined && <Button onClick={renew}>{t('testCalls.newNumber')}</Button>;
  return (
    <>
      <Form state={form} action={t('testCalls.send')} extra={renewing} isWide>
        <div ref={fields} className={styles.fields}>
          {operation.parameters.map((parameter) => (
            <TextField
              key={parameter.name}
              form={form}
              name={fieldOf(parameter)}
              label={parameter.name}
              required={parameter.required}
              defaultValue={startingValue(operation, parameter, startedWith)}
              hint={parameter.required ? undefined : t('testCalls.optional')}
              spellCheck={false}
              autoComplete="off"
            />
          ))}
          {body !== undefined && (
            <div className={styles.wide}>
              <LinesField
                form={form}
                name="body"
                label={t('testCalls.body')}
                defaultValue={body}
                rows={8}
                spellCheck={false}
              />
            </div>
          )}
        </div>
      </Form>
      {result && <CallResult of={result} />}
    </>
  );
}
