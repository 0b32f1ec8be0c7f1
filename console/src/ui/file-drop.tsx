import { type DragEvent, type ReactElement, type ReactNode, useId, useState } from 'react';
import { buttonClass } from './button.tsx';
import styles from './file-drop.module.css';

type OnFile = (file: File | undefined) => void;

/** Makes an element a place that a file is dropped on; `data-over` says that one is held above it. */
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
  /** As the browser's file chooser takes it. */
  accept: string;
  look: 'outline' | 'primary';
  onFile: OnFile;
  children: ReactNode;
}

/** A button that asks for a file. The same one may be chosen again. */
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
