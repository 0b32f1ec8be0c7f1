import type { SentMessage } from '@hengfu/contract/callback-messages';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { indentedJson } from '../../../shared/indented-json.ts';
import styles from '../callbacks.module.css';

/** Shows what each attempt of a callback sends: its headers, without the signatures, and its body. */
export function SentMessageView({ of: { headers, body, isMasked } }: { of: SentMessage }): ReactElement {
  const t = useT();
  const text = indentedJson(body);
  return (
    <Section title={t('callbacks.message')} extra={<CopyButton text={text} name={t('callbacks.body')} />}>
      <div className={styles.parts}>
        <pre className={styles.reply} translate="no">
          {text}
        </pre>
        <p className={styles.muted}>{t(isMasked ? 'callbacks.bodyMasked' : 'callbacks.bodyPlain')}</p>
        <details>
          <summary>{t('callbacks.headers')}</summary>
          <Fields
            fields={headers.map(({ name, value }) => ({
              label: name,
              value: value ?? <span className={styles.muted}>{t('callbacks.varies')}</span>,
              copy: value ?? undefined,
              isWide: true,
            }))}
          />
        </details>
      </div>
    </Section>
  );
}
