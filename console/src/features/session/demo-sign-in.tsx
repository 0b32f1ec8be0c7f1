import { useT } from '@hengfu/ui/language/i18n.ts';
import styles from './login-form.module.css';

interface DemoSignInProps {
  demo: { email: string; password: string };
  onFillIn: (email: string, password: string) => void;
}

/** Shows the demo's credentials, with a button that fills them in. */
export function DemoSignIn({ demo, onFillIn }: DemoSignInProps) {
  const t = useT();
  return (
    <section className={styles.demo} aria-labelledby="demo-title">
      <div>
        <h2 id="demo-title">{t('session.demoTitle')}</h2>
        <p className={styles.demoText}>
          <span translate="no">{demo.email}</span>
          <span translate="no">{demo.password}</span>
        </p>
        <p>{t('session.demoHint')}</p>
      </div>
      <button type="button" className={styles.fill} onClick={() => onFillIn(demo.email, demo.password)}>
        {t('session.demoUse')}
      </button>
    </section>
  );
}
