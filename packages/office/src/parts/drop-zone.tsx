/** A place where a person drops a file, or chooses one. */
import { useId, useState } from 'preact/hooks';
import type { GivenFile } from '../call';

interface DropZoneProps {
  /** What is dropped there, such as `a statement of a bank`. */
  what: string;
  take: (file: GivenFile) => void;
}

export function DropZone({ what, take }: DropZoneProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const read = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) take(await givenFile(file));
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void read(event.dataTransfer?.files);
      }}
    >
      <label for={id}>Drop {what} here, or choose the file</label>
      <input
        id={id}
        type="file"
        onChange={({ currentTarget }) => {
          // The same file can be chosen again, after a correction.
          void read(currentTarget.files).then(() => (currentTarget.value = ''));
        }}
      />
    </div>
  );
}

/** The file as operations take it. The service decodes its text. */
export function givenFile(file: File): Promise<GivenFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const [, base64 = ''] = typeof reader.result === 'string' ? reader.result.split(',', 2) : [];
      resolve({ name: file.name, base64 });
    };
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
