import { type DragEvent, type ReactElement, type ReactNode, useId, useState } from 'react';
import { buttonClass } from '../controls/button.tsx';
import styles from './file-drop.module.css';

type OnFile = (file: File | undefined) => void;

/** Event handlers that make an element a drop target; `isOver` while a file is dragged over it. */
export function useFileDrop(onFile: OnFile) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    target: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      },
    },
  };
}

interface FileButtonProps {
  /** Accepted types, as for `<input accept>`. */
  accept: string;
  look: 'outline' | 'primary';
  onFile: OnFile;
  children: ReactNode;
}

/** A button that opens the file chooser. The same file may be chosen again. */
export function FileButton({ accept, look, onFile, children }: FileButtonProps): ReactElement {
  const id = useId();
  return (
    <>
      <input
        id={id}
        className={styles.file}
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <label htmlFor={id} className={buttonClass(look)}>
        {children}
      </label>
    </>
  );
}
