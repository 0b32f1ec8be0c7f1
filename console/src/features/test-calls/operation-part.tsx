import { useT } from '@hengfu/ui/language/i18n.ts';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { callNames } from './call-names.ts';
import type { KnownNumbers } from './compose-call.ts';
import type { Operation } from './open-document.ts';
import { SendForm } from './send-form.tsx';
import styles from './test-calls.module.css';

interface OperationPartProps {
  operation: Operation;
  isOpen: boolean;
  /** The key to sign with; undefined if calls cannot be sent. */
  keyId: string | undefined;
  known: KnownNumbers;
  onKnown: (found: KnownNumbers) => void;
}

/** One call: a line with its name, which opens to what the OpenAPI document says of it, in English, to its input and to what it can reply. */
export function OperationPart({ operation, isOpen, ...sending }: OperationPartProps): ReactElement {
  const navigate = useNavigate();
  const t = useT();
  const { id, method, path, summary, description } = operation;
  const name = callNames[id];
  return (
    <details
      open={isOpen}
      className={styles.operation}
      onToggle={({ currentTarget, newState }) => {
        if (!currentTarget.isConnected || (newState === 'open') === isOpen) return;
        const search = newState === 'open' ? { call: id } : {};
        void navigate({ to: '/developers/reference', search, replace: true, resetScroll: false });
      }}
    >
      <summary>
        <code className={styles.method} data-method={method}>
          {method}
        </code>{' '}
        <code className={styles.path}>{path}</code>{' '}
        {name && <span className={`${styles.muted} ${styles.name}`}>{t(name)}</span>}
      </summary>
      {isOpen && (
        <div className={styles.open}>
          <p lang="en">
            {plain(summary)} {plain(description)}
          </p>
          <SendForm operation={operation} {...sending} />
          <Replies of={operation} />
        </div>
      )}
    </details>
  );
}

/** A sentence of the document without its marks of Markdown. */
const plain = (text: string) => text.replaceAll('`', '');

function Replies({ of: { replies } }: { of: Operation }): ReactElement {
  const t = useT();
  return (
    <details className={styles.more}>
      <summary>{t('testCalls.replies')}</summary>
      <dl className={styles.replies}>
        {replies.map(({ status, codes }) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              {codes.map((code) => (
                <a key={code} href={`/docs/errors/${code}`}>
                  {code}
                </a>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
