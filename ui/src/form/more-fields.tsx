import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../controls/icon.tsx';
import { useT } from '../language/i18n.ts';
import { hasFoldedContent } from './folded-fields.ts';
import type { FormState } from './form-state.ts';
import styles from './more-fields.module.css';

interface MoreFieldsProps {
  form: FormState;
  /** The labels of the fields inside, shown beside the heading. */
  labels: readonly string[];
  children: ReactNode;
}

/** Folds optional fields away. Opens by itself once one of them has a value or an error; the user closes it. */
export function MoreFields({ form, labels, children }: MoreFieldsProps): ReactElement {
  const t = useT();
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const details = ref.current;
    if (!details) return;
    const openIfFilled = () => {
      if (hasFoldedContent(details, {})) details.open = true;
    };
    openIfFilled();
    // A field filled by script reports a change that does not bubble.
    details.addEventListener('change', openIfFilled, true);
    return () => details.removeEventListener('change', openIfFilled, true);
  }, []);
  useEffect(() => {
    if (ref.current && hasFoldedContent(ref.current, form.faults)) ref.current.open = true;
  }, [form.faults]);
  return (
    <details ref={ref} className={styles.more}>
      <summary>
        <Icon name="chevronRight" size={14} />
        {t('ui.moreFields')}
        <span className={styles.names}>{labels.join(t('ui.listComma'))}</span>
      </summary>
      <div className={styles.fields}>{children}</div>
    </details>
  );
}
