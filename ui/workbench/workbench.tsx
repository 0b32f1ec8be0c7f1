import { type ReactElement, useState, useSyncExternalStore } from 'react';
import { Frame } from './frame.tsx';
import { scenes } from './scenes.ts';
import { type Variant, VariantChoices } from './variant-choices.tsx';
import styles from './workbench.module.css';

/** The address of a scene by itself: `?only=menu`, which a frame shows in its own width. */
const only = new URLSearchParams(location.search).get('only');

/** All scenes with the choice of width, direction, theme, size and language; or one scene, if the address names it. */
export function Workbench(): ReactElement {
  const name = useSyncExternalStore(onHash, () => location.hash.slice(1));
  const [variant, setVariant] = useState<Variant>({ width: '100%', direction: 'ltr' });
  if (only !== null) return <OneScene name={only} />;
  const shown = name || (scenes[0]?.name ?? '');
  const address = `?only=${shown}&direction=${variant.direction}`;
  return (
    <div className={styles.workbench}>
      <nav className={styles.scenes} aria-label="Scenes">
        {scenes.map((scene) => (
          <a
            key={scene.name}
            href={`#${scene.name}`}
            aria-current={scene.name === shown ? 'page' : undefined}
          >
            {scene.name}
          </a>
        ))}
      </nav>
      <main className={styles.main}>
        <VariantChoices variant={variant} onChange={setVariant} />
        <iframe
          key={address}
          title={shown}
          src={address}
          className={styles.frame}
          style={{ width: variant.width }}
        />
      </main>
    </div>
  );
}

function OneScene({ name }: { name: string }): ReactElement {
  const scene = scenes.find((candidate) => candidate.name === name);
  document.documentElement.dir = new URLSearchParams(location.search).get('direction') ?? 'ltr';
  if (!scene) return <p>There is no scene “{name}”.</p>;
  const { Content } = scene;
  return (
    <Frame>
      <main className={styles.scene}>
        <Content />
      </main>
    </Frame>
  );
}

function onHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
